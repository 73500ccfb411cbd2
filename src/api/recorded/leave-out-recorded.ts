import type { RunEnding } from '../../runs/journal/run-directory.ts';
import type { TestSummary } from '../../base/model/summary.ts';
import type { Tally } from '../../run/verdicts/tally.ts';

/** Counts what a recorded run did not start: for the tests that it names, and the rest without a test. */
export function leaveOutRecorded(
  tally: Tally,
  ending: RunEnding | undefined,
  rename: (test: TestSummary) => TestSummary = (test) => test,
): void {
  let unnamed = ending?.summary.not_started ?? 0;
  for (const test of ending?.tests ?? []) {
    tally.leaveOutOf(rename(test));
    unnamed -= test.not_started;
  }
  for (const stopped of ending?.summary.stopped_targets ?? []) {
    tally.stop(stopped);
    const named = (ending?.tests ?? []).filter(({ target }) => target === stopped.target);
    const rest = Math.max(0, stopped.not_started - named.reduce((sum, test) => sum + test.not_started, 0));
    tally.leaveOutUnnamed(rest, stopped.target);
    unnamed -= rest;
  }
  tally.leaveOutUnnamed(Math.max(0, unnamed));
}
