import type { ReplyWarning } from '../agents/reply-warning.ts';
import type { Test } from '../model/test.ts';
import type { Grader } from './grade.ts';

/** A program may take this long to start before it begins to count. */
const START_MS = 1000;

/** What is known of how long a reply took. */
interface Durations {
  readonly reportedMs: number | undefined;
  readonly measuredMs: number;
}

/**
 * An agent may know better than the clock how long it took. But where a test asks for speed, a report of less than half of
 * what the clock says deserves a look.
 */
export function doubtDuration(
  test: Test,
  { reportedMs, measuredMs }: Durations,
  grader: Pick<Grader, 'readsPart'>,
): ReplyWarning | undefined {
  if (reportedMs === undefined || measuredMs < 2 * reportedMs || measuredMs - reportedMs < START_MS)
    return undefined;
  const isTimed =
    grader.readsPart(test.assertions, 'duration') ||
    test.steps.some(({ assertions }) => grader.readsPart(assertions, 'duration'));
  if (!isTimed) return undefined;
  return {
    code: 'duration_doubt',
    message: `the agent reports a duration of ${reportedMs} ms, and Assay measured ${Math.round(measuredMs)} ms: claims about time use the reported one`,
    hint: 'leave `duration_ms` out of the reply to have the measured time checked',
  };
}
