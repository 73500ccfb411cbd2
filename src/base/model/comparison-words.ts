import type { Change, Comparison, RegressedTest } from './comparison.ts';
import { intervalWords, points, pWords } from './comparison-headline.ts';
import { numbered } from './grouped.ts';
import { formatDuration } from './duration.ts';
import { formatScore } from './score-text.ts';

/** Tests that changed by more than chance, after correction for the others; undefined if there are none. */
export function ownChangesSentence({ changes, alpha }: Comparison): string | undefined {
  const own = changes.filter(({ p_value }) => p_value !== undefined && p_value < alpha).length;
  if (own === 0) return undefined;
  return `${numbered(own, 'test')} changed by more than chance on ${own === 1 ? 'its' : 'their'} own.`;
}

/** For tests like these, which is another question than for these tests; undefined if there is nothing to add. */
export function byTestSentence({ verdicts, tests, alpha }: Comparison): string | undefined {
  const { by_test, p_value } = verdicts;
  if (by_test === undefined || p_value === undefined) return undefined;
  return `For tests like these, counting each of the ${numbered(tests.compared, 'test')} once: ${byTestWords(by_test, alpha)}.`;
}

function byTestWords(
  { difference, p_value }: NonNullable<Comparison['verdicts']['by_test']>,
  alpha: number,
): string {
  const judged = `${p_value < alpha ? 'is more than chance' : 'could be chance'} (${pWords(p_value)})`;
  if (difference === undefined) return `the difference ${judged}`;
  return `the difference of ${points(difference.value)} points (${intervalWords(difference)}) ${judged}`;
}

/** Mean scores, if there are any; undefined if they say no more than the verdicts. */
export function scoreWords({ scores, alpha }: Comparison): string | undefined {
  const { before, after, difference, p_value } = scores;
  if (before === undefined || after === undefined) return undefined;
  const means = `${formatScore(before, { digits: 3 })} → ${formatScore(after, { digits: 3 })}`;
  if (difference === undefined || p_value === undefined) return means;
  const judged = p_value < alpha ? 'more than chance' : 'could be chance';
  const interval = `95% interval ${difference.low.toFixed(3)} to ${difference.high.toFixed(3)}`;
  return `${means}, difference ${difference.value.toFixed(3)} (${interval}), ${judged} (${pWords(p_value)})`;
}

/** Cost, tokens and latency: each with its name and its change. */
export function measureWords(comparison: Comparison): readonly (readonly [string, string])[] {
  const { cost_usd, tokens, latency_median_ms, latency_p95_ms, pairs, unit } = comparison;
  const row = (name: string, change: Change | undefined, format: (value: number) => string) => {
    if (change === undefined) return [];
    const scope = change.pairs === pairs ? '' : `, over ${change.pairs} of ${numbered(pairs, unit)}`;
    const words = `${format(change.before)} → ${format(change.after)}${relative(change)}${scope}`;
    return [[name, words] as const];
  };
  return [
    ...row('Cost', cost_usd, dollars),
    ...row('Tokens', tokens, (value) => value.toLocaleString('en')),
    ...row('Latency, median', latency_median_ms, formatDuration),
    ...row('Latency, p95', latency_p95_ms, formatDuration),
  ];
}

/** Facts that are in no number above, one sentence each. */
export function leftOutSentences(comparison: Comparison): readonly string[] {
  const { unit, only_before, only_after, unmeasured, tests } = comparison;
  const sentences: string[] = [];
  if (only_before.length > 0) sentences.push(`${are(only_before.length, unit)} only in the first.`);
  if (only_after.length > 0) sentences.push(`${are(only_after.length, unit)} only in the second.`);
  if (unmeasured.length > 0)
    sentences.push(`${numbered(unmeasured.length, unit)} could not be measured in one of the two runs.`);
  if (tests.edited > 0)
    sentences.push(`${are(tests.edited, 'paired test')} edited since: text, target or threshold differ.`);
  if (unit === 'test')
    sentences.push('Tests are paired, not attempts: a baseline file contains no attempts.');
  return sentences;
}

/** What this comparison could have detected, and what repeats would add, one sentence each. */
export function detectableSentences({ detectable, regression, tests }: Comparison): readonly string[] {
  if (detectable === undefined) return [];
  const { power, whole, test, repeats_for_a_test, single_tests } = detectable;
  const often = `${Math.round(power * 10)} times out of 10`;
  const sentences = [
    whole === undefined
      ? `With so few attempts, no drop of the overall pass rate would be detected ${often}.`
      : `The smallest drop of the overall pass rate that would be detected ${often}: ${points(whole)} points.`,
  ];
  if (test !== undefined) {
    const { before, after, at_most, drop } = test;
    sentences.push(
      `For a single test that always passed: ${points(drop)} points; from ${before}/${before} to ${at_most}/${after} is more than chance.`,
    );
  } else if (single_tests < tests.compared)
    sentences.push(
      `No single test could show a drop on its own, not even from always passing to never passing: that takes ${repeats_for_a_test} repeats in both runs.`,
    );
  if (single_tests > 0) {
    const reading =
      regression.rule === 'regression'
        ? 'a change from passed to failed is a regression, even if it may be chance'
        : 'it may be chance';
    sentences.push(
      `${numbered(single_tests, 'test')} ran once on one side: ${reading}. With ${repeats_for_a_test} repeats in both runs, a change of a single test can be told from chance.`,
    );
  }
  return sentences;
}

/** How the p-values were computed; undefined if there are none. */
export function testedSentence(comparison: Comparison): string | undefined {
  const { verdicts, scores, changes, tests } = comparison;
  const parts = [
    verdicts.p_value === undefined ? '' : 'an exact test over all measured attempts, by test',
    changes.some(({ p_value }) => p_value !== undefined)
      ? "Fisher's exact test for each test with repeats, corrected for all of them"
      : '',
    verdicts.by_test === undefined && scores.p_value === undefined
      ? ''
      : `paired permutation of ${numbered(tests.compared, 'test')}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : `Tested by ${parts.join('; ')}.`;
}

/** Why the exit code is what it is; undefined if nothing is wrong. */
export function regressionSentence({ regression, lost_tests, alpha }: Comparison): string | undefined {
  if (regression.found) return `Regression: ${regressionParts(regression, alpha).join('; ')}.`;
  if (lost_tests.length === 0) return undefined;
  return `Inconclusive: ${numbered(lost_tests.length, 'test')} could be measured before and had no result now (errors, skipped or gone).`;
}

function regressionParts({ whole, tests }: Comparison['regression'], alpha: number): readonly string[] {
  const count = (because: RegressedTest['because']): number =>
    tests.filter((test) => test.because === because).length;
  const drops = count('drop');
  const worse = count('attempts') + count('score');
  return [
    ...(whole ? [`the overall pass rate dropped by more than chance explains (alpha ${alpha})`] : []),
    ...(drops === 0
      ? []
      : [
          `${numbered(drops, 'test')} ${drops === 1 ? 'passes' : 'pass'} less often, by more than chance explains (alpha ${alpha})`,
        ]),
    ...(count('new_failure') === 0
      ? []
      : [`${numbered(count('new_failure'), 'test')} went from passed to failed`]),
    ...(worse === 0 ? [] : [`${numbered(worse, 'test')} got worse in attempts or score`]),
  ];
}

function are(count: number, thing: string): string {
  return `${numbered(count, thing)} ${count === 1 ? 'is' : 'are'}`;
}

function dollars(amount: number): string {
  return amount >= 1 ? `$${amount.toFixed(2)}` : `$${Number(amount.toPrecision(3))}`;
}

function relative({ before, after }: Change): string {
  const percent = before === 0 ? 0 : Math.round((after / before - 1) * 100);
  return percent === 0 ? '' : ` (${percent > 0 ? '+' : ''}${percent}%)`;
}
