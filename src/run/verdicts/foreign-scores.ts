import type { AttemptRecord } from '../../base/model/record.ts';
import type { Json } from '../../base/model/json.ts';
import type { ForeignScore } from '../../base/model/summary.ts';
import type { CountedTests } from '../../base/stats/pass-counts.ts';
import { testKey } from '../../base/model/test-key.ts';
import { passNumbers } from './pass-numbers.ts';

interface Found {
  attempts: number;
  /** Undefined once one of them is no number. */
  sum: number | undefined;
  /** By test; undefined once one of them does not say whether it passed. */
  tests: Map<string, { passed: number; measured: number }> | undefined;
}

/** Adds up what other tools said about imported attempts. */
export class ForeignScores {
  private readonly found = new Map<string, Found>();

  add(record: AttemptRecord): void {
    for (const [name, value] of Object.entries(record.foreign_scores ?? {})) {
      const found = this.found.get(name) ?? { attempts: 0, sum: 0, tests: new Map() };
      this.found.set(name, found);
      found.attempts++;
      const number = numberOf(value);
      found.sum = number === undefined || found.sum === undefined ? undefined : found.sum + number;
      if (number !== 0 && number !== 1) found.tests = undefined;
      if (found.tests === undefined) continue;
      const key = testKey(record);
      const test = found.tests.get(key) ?? { passed: 0, measured: 0 };
      found.tests.set(key, { passed: test.passed + number!, measured: test.measured + 1 });
    }
  }

  summary(): readonly ForeignScore[] | undefined {
    if (this.found.size === 0) return undefined;
    return [...this.found].map(([name, { attempts, sum, tests }]) => ({
      name,
      attempts,
      ...(sum === undefined ? {} : { mean: sum / attempts }),
      ...(tests === undefined ? {} : ratesOf([...tests.values()].map((test) => ({ ...test, tests: 1 })))),
    }));
  }
}

function ratesOf(groups: readonly CountedTests[]): Pick<ForeignScore, 'pass_rate' | 'pass_hat_k'> {
  const { pass_rate, pass_hat_k } = passNumbers({ groups, planned: groups.length }, MIN_COVERAGE);
  return { pass_rate, pass_hat_k };
}

/** A mean over fewer tests would not describe the run. */
const MIN_COVERAGE = 0.9;

/** Correct and incorrect, as Inspect writes them. */
function numberOf(value: Json): number | undefined {
  if (value === 'C' || value === true) return 1;
  if (value === 'I' || value === false) return 0;
  return typeof value === 'number' ? value : undefined;
}
