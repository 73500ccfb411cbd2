import type { Trace, TraceProblem } from './trace.ts';

/** A trace that may lack calls: that none was found does not say that none was made. */
export function withGap(trace: Trace, gap: TraceProblem): Trace {
  const { tool_calls: calls } = trace;
  return { ...trace, tool_calls: calls?.length === 0 ? undefined : calls, gap: trace.gap ?? gap };
}

/** The same for a source that ends early: what it gives as the answer may be a part of it. */
export function withEarlyEnd(trace: Trace, gap: TraceProblem): Trace {
  return { ...withGap(trace, gap), is_cut: true };
}

/** A trace of an agent that reports a failure. If it answered all the same, the answer stands. */
export function withFailure(trace: Trace, failure: string): Trace {
  return (trace.output ?? '') === '' ? { ...trace, output: undefined, failure } : trace;
}
