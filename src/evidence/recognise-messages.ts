import type { Json } from '../base/model/json.ts';
import { MESSAGES } from './dialects/registry.ts';
import { traceOfEntries } from './trace-of-entries.ts';
import type { Trace } from './trace.ts';

/** Reads messages as any framework or provider writes them. Undefined: they are of no known dialect. */
export function recogniseMessages(messages: readonly Json[], at: string): Trace | undefined {
  const dialect = messages.length === 0 ? undefined : MESSAGES.find((each) => each.recognises(messages));
  return dialect === undefined ? undefined : traceOfEntries(dialect.read(messages, at));
}

/** Reads tool calls as any of them writes those. Undefined: not every one of them could be read. */
export function recogniseCalls(calls: readonly Json[], at: string): Trace | undefined {
  const forms: readonly Json[] = [
    { role: 'assistant', content: '', tool_calls: calls },
    { role: 'assistant', content: calls },
    { role: 'model', parts: calls },
  ];
  for (const message of forms) {
    const trace = recogniseMessages([message], at);
    if (trace?.tool_calls?.length === calls.length && trace.gap === undefined) return trace;
  }
  return undefined;
}
