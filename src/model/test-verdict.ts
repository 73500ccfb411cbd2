import type { Verdict } from './record.ts';

/** How many attempts of a test came to each verdict. */
export type VerdictCounts = Readonly<Record<Verdict, number>>;

/** What a test comes to over its repeats: it passes when all of them do. */
export function testVerdict({ failed, error, skipped, passed }: VerdictCounts): Verdict {
  if (failed > 0) return 'failed';
  if (error > 0) return 'error';
  return passed === 0 && skipped > 0 ? 'skipped' : 'passed';
}
