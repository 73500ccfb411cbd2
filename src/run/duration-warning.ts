import type { ReplyWarning } from '../agents/reply-warning.ts';
import type { Test } from '../model/test.ts';
import type { Grader } from './grade.ts';

/** The time a program may take to start before it starts to count. */
const START_MS = 1000;

/** The reported and the measured duration of a reply. */
interface Durations {
  readonly reportedMs: number | undefined;
  readonly measuredMs: number;
}

/**
 * An agent may know better than the clock how long it took. But if a test checks speed, a report of less than half
 * of the measured time gets a warning.
 */
export function durationWarning(
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
    message: `the agent reports a duration of ${reportedMs} ms, but Assay measured ${Math.round(measuredMs)} ms; assertions use the reported one`,
    hint: 'remove `duration_ms` from the reply to check the measured time',
  };
}
