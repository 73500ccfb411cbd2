import type { HistoryPoint, ResultRow } from '../../src/base/model/page-data.ts';
import { attemptWords } from '../../src/base/model/attempt-words.ts';
import type { AttemptRecord, Verdict } from '../../src/base/model/record.ts';
import { OUTCOME_NAMES } from '../parts/verdict-mark.tsx';
import type { TestRow } from '../run/test-row.ts';
import { formatPercent, plural } from '../text/format.ts';
import { dayWords } from './day-words.ts';

/** The test over its repeats, as far as the list knows it. */
type TestFacts = Pick<TestRow, 'verdict' | 'isFlaky' | 'attempts'>;

/** What a test came to, in one sentence: first all its repeats, then the attempt that is shown. */
export function testHeadline(
  record: AttemptRecord,
  test: TestFacts | undefined,
  change?: string,
): { readonly outcome: Verdict; readonly sentence: string } {
  const since = change === undefined ? '' : `, ${change}`;
  if (test === undefined || test.attempts.length < 2)
    return {
      outcome: record.verdict,
      sentence: `${OUTCOME_NAMES[record.verdict]}${since}: ${attemptWords(record)}`,
    };
  const { verdict, attempts } = test;
  const passed = attempts.filter((one) => one.verdict === 'passed').length;
  const lead = `${OUTCOME_NAMES[verdict]}${since}: ${passed} of ${plural(attempts.length, 'repeat')} passed`;
  const required = requirement(attempts.at(-1)?.pass_at_least, test);
  return {
    outcome: verdict,
    sentence: `${lead}${required}; repeat ${record.repeat}: ${attemptWords(record)}`,
  };
}

function requirement(passAtLeast: ResultRow['pass_at_least'], { verdict, attempts }: TestFacts): string {
  if (passAtLeast !== undefined)
    return `, ${typeof passAtLeast === 'number' ? formatPercent(passAtLeast) : passAtLeast} required`;
  const hasPassed = attempts.some((one) => one.verdict === 'passed');
  return verdict === 'failed' && hasPassed ? ', all must pass' : '';
}

/** How the verdict differs from the runs before: `new since yesterday`. `points`: the oldest first. */
export function changeWords(
  points: readonly HistoryPoint[],
  { runId, verdict, now }: { readonly runId: string; readonly verdict: Verdict; readonly now: number },
): string | undefined {
  const place = points.findIndex(({ run_id }) => run_id === runId);
  const before =
    place === -1 ? [] : points.slice(0, place).filter(({ pass_rate }) => pass_rate !== undefined);
  const last = before.at(-1);
  if (last === undefined || (verdict !== 'failed' && verdict !== 'passed')) return undefined;
  const when = dayWords(last.started_at, now);
  if (when === undefined) return undefined;
  const isGood = ({ pass_rate }: HistoryPoint): boolean => pass_rate?.rate === 1;
  if (verdict === 'passed') return isGood(last) ? undefined : `fixed since ${when}`;
  if (isGood(last)) return `new since ${when}`;
  const streak = before.length - 1 - before.findLastIndex(isGood);
  return `as in the ${streak === 1 ? 'run' : `${streak} runs`} before`;
}
