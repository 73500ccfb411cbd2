import type { Verdict } from '../../src/base/model/record.ts';
import type { TestRow } from '../run/test-row.ts';
import { plural } from '../text/format.ts';

/** How the targets of one test compare, in a sentence. */
export function targetsHeadline(results: readonly Pick<TestRow, 'target' | 'verdict'>[]): {
  readonly outcome: Verdict;
  readonly sentence: string;
} {
  const of = (verdict: Verdict): readonly string[] =>
    results.filter((one) => one.verdict === verdict).map(({ target }) => target);
  const groups = GROUPS.map(({ verdict, one, many }) => ({ verdict, one, many, names: of(verdict) })).filter(
    ({ names }) => names.length > 0,
  );
  const outcome = (['failed', 'error', 'passed'] as const).find((verdict) => of(verdict).length > 0);
  const [only, ...others] = groups;
  if (only === undefined) return { outcome: 'skipped', sentence: 'No target ran this test' };
  const sentence =
    others.length === 0 && results.length > 1
      ? `All ${plural(results.length, 'target')} ${only.many}`
      : groups
          .map(({ names, one, many }) => `${subject(names)} ${names.length === 1 ? one : many}`)
          .join('; ');
  return { outcome: outcome ?? 'skipped', sentence };
}

const GROUPS: readonly { readonly verdict: Verdict; readonly one: string; readonly many: string }[] = [
  { verdict: 'passed', one: 'passes', many: 'pass' },
  { verdict: 'failed', one: 'fails', many: 'fail' },
  { verdict: 'error', one: 'could not be measured', many: 'could not be measured' },
  { verdict: 'not_graded', one: 'is not graded', many: 'are not graded' },
  { verdict: 'skipped', one: 'was skipped', many: 'were skipped' },
];

function subject(names: readonly string[]): string {
  if (names.length > 3) return plural(names.length, 'target');
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
