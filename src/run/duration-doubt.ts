import type { ReplyWarning } from '../agents/reply-warning.ts';
import type { Assertion } from '../model/assertion.ts';
import type { Test } from '../model/test.ts';

/** A program may take this long to start before it begins to count. */
const START_MS = 1000;

interface Durations {
  readonly reportedMs: number | undefined;
  readonly measuredMs: number;
}

/**
 * An agent may know better than the clock how long it took. But where a test asks for speed, a report of less than half of
 * what the clock says deserves a look.
 */
export function doubtDuration(test: Test, { reportedMs, measuredMs }: Durations): ReplyWarning | undefined {
  if (reportedMs === undefined || measuredMs < 2 * reportedMs || measuredMs - reportedMs < START_MS)
    return undefined;
  if (!isTimed(test.assertions) && !test.steps.some(({ assertions }) => isTimed(assertions)))
    return undefined;
  return {
    code: 'duration_doubt',
    message: `the agent reports a duration of ${reportedMs} ms, and Assay measured ${Math.round(measuredMs)} ms: claims about time use the reported one`,
    hint: 'leave `duration_ms` out of the reply to have the measured time checked',
  };
}

function isTimed(assertions: readonly Assertion[]): boolean {
  return assertions.some(({ kind, parameters }) => {
    if (kind === 'execution_metrics') return parameters['max_duration_ms'] !== undefined;
    const parts = parameters['evaluators'];
    return kind === 'latency' || (Array.isArray(parts) && isTimed(parts as unknown as readonly Assertion[]));
  });
}
