import { DEFAULT_MIN_COVERAGE } from './gate.ts';
import { readPassAtLeast, type PassAtLeast } from './pass-at-least.ts';
import type { Verdict } from './record.ts';

/** How many attempts of a test came to each verdict. */
export type VerdictCounts = Readonly<Record<Verdict, number>>;

/**
 * What a test comes to over its repeats, by its records alone: it passes when all of them do, or as often as it must. A run
 * knows more, such as what it did not start.
 */
export function testVerdict(counts: VerdictCounts, passAtLeast?: PassAtLeast): Verdict {
  const { failed, error, skipped, passed } = counts;
  const share = passAtLeast === undefined ? undefined : readPassAtLeast(passAtLeast)?.share;
  const measured = passed + failed;
  if (share !== undefined && measured + error > 0) {
    const isCovered = measured > 0 && measured >= DEFAULT_MIN_COVERAGE * (measured + error) - 1e-9;
    if (!isCovered) return 'error';
    return passed / measured >= share ? 'passed' : 'failed';
  }
  if (failed > 0) return 'failed';
  if (error > 0) return 'error';
  return passed === 0 && skipped > 0 ? 'skipped' : 'passed';
}
