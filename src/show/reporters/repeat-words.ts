import type { TestSummary } from '../../base/model/summary.ts';

/** How the attempts of a test ended: `passed 2 of 4, 4/4 required`. */
export function repeatWords({ passed, failed, error, gate }: TestSummary): string {
  const counts = gate?.message ?? `passed ${passed} of ${passed + failed}`;
  return error === 0 ? counts : `${counts}, ${error} could not be measured`;
}
