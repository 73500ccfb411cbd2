import type { Passes } from '../stats/fisher-test.ts';
import type { Verdict } from '../model/record.ts';

/** What a test comes to over its measured repeats: it passes when all of them do. Nothing measured is an error. */
export function testVerdict({ passed, measured }: Passes): Verdict {
  if (measured === 0) return 'error';
  return passed === measured ? 'passed' : 'failed';
}
