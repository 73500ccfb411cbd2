import type { TestOutcome } from '../../base/model/comparison.ts';
import type { GateRules } from '../../base/model/gate.ts';
import { attemptId, testKey } from '../../base/model/test-key.ts';
import type { PassCounts } from '../../base/stats/pass-counts.ts';
import { measuredVerdict } from './measured-verdict.ts';
import { PairedMeasure } from './measures.ts';
import { matchTests } from './match-tests.ts';
import { SAME_SCORE, type PairedTest, type Pairing } from './pairing.ts';
import { isMeasured, measuredOf, type ComparedAttempt, type ComparedTest, type RunSide } from './run-side.ts';

/** Pairs the attempts of two runs: the same repeat of the same test. */
export function pairAttempts(before: RunSide, after: RunSide): Pairing {
  const { matched, onlyBefore, onlyAfter } = matchTests(before.tests, after.tests);
  const rules = { before: before.rules, after: after.rules };
  const tests: PairedTest[] = [];
  const only = { before: onlyBefore.flatMap(attemptIds), after: onlyAfter.flatMap(attemptIds) };
  const unmeasured: string[] = [];
  const lostTests: string[] = [];
  const share = createSharer();
  const [cost, tokens, latency] = [new PairedMeasure(), new PairedMeasure(), new PairedMeasure()];
  for (const match of matched) {
    const repeats = matchRepeats(match.before.attempts, match.after.attempts);
    for (const row of repeats.onlyBefore) only.before.push(attemptId(testKey(match.before), row.repeat));
    for (const row of repeats.onlyAfter) only.after.push(attemptId(testKey(match.after), row.repeat));
    const measured: Pair[] = [];
    for (const pair of repeats.pairs) {
      if (!isMeasured(pair.before.verdict) || !isMeasured(pair.after.verdict)) {
        unmeasured.push(attemptId(testKey(match.after), pair.after.repeat));
        continue;
      }
      measured.push(pair);
      cost.add(pair.before.cost_usd, pair.after.cost_usd);
      tokens.add(pair.before.tokens, pair.after.tokens);
      latency.add(pair.before.duration_ms, pair.after.duration_ms);
    }
    if (measured.length > 0 || (hasMeasured(match.before) && hasMeasured(match.after)))
      tests.push(toPairedTest(match, measured, { share, rules }));
    else if (isLost(match.before, match.after)) lostTests.push(testKey(match.after));
  }
  const latencies = latency.quantiles();
  return {
    unit: 'attempt',
    tests,
    onlyBefore: only.before,
    onlyAfter: only.after,
    unmeasured,
    lostTests,
    gone: onlyBefore.filter(hasMeasured),
    measures: {
      cost_usd: cost.sum(),
      tokens: tokens.sum(),
      latency_median_ms: latencies.median,
      latency_p95_ms: latencies.p95,
    },
  };
}

type Share = <Numbers extends object>(numbers: Numbers) => Numbers;

/** Most tests have the same few numbers: they share one object instead of a hundred thousand. */
function createSharer(): Share {
  const kept = new Map<string, object>();
  return <Numbers extends object>(numbers: Numbers): Numbers => {
    const key = JSON.stringify(numbers);
    const known = kept.get(key);
    if (known === undefined && kept.size < MOST_SHARED) kept.set(key, numbers);
    return (known ?? numbers) as Numbers;
  };
}

const MOST_SHARED = 1000;

interface Pair {
  readonly before: ComparedAttempt;
  readonly after: ComparedAttempt;
}

/** Both lists are ordered by repeat. */
function matchRepeats(before: readonly ComparedAttempt[], after: readonly ComparedAttempt[]) {
  const pairs: Pair[] = [];
  const onlyBefore: ComparedAttempt[] = [];
  const onlyAfter: ComparedAttempt[] = [];
  for (let b = 0, a = 0; b < before.length || a < after.length;) {
    const [one, other] = [before[b], after[a]];
    if (other === undefined || (one !== undefined && one.repeat < other.repeat)) {
      onlyBefore.push(one!);
      b++;
    } else if (one === undefined || other.repeat < one.repeat) {
      onlyAfter.push(other);
      a++;
    } else {
      pairs.push({ before: one, after: other });
      b++;
      a++;
    }
  }
  return { pairs, onlyBefore, onlyAfter };
}

interface Match {
  readonly before: ComparedTest;
  readonly after: ComparedTest;
}

interface PairContext {
  readonly share: Share;
  readonly rules: { readonly before: GateRules; readonly after: GateRules };
}

function toPairedTest(
  { before, after }: Match,
  pairs: readonly Pair[],
  { share, rules }: PairContext,
): PairedTest {
  let [better, worse] = [0, 0];
  const scores = { count: 0, sum: 0, before: 0, after: 0, hasFallen: false };
  for (const { before: one, after: other } of pairs) {
    if (one.verdict !== other.verdict) {
      if (other.verdict === 'passed') better++;
      else worse++;
    }
    if (one.score === undefined || other.score === undefined) continue;
    scores.count++;
    scores.before += one.score;
    scores.after += other.score;
    scores.sum += other.score - one.score;
    scores.hasFallen ||= other.score < one.score - SAME_SCORE;
  }
  const all = { before: countsOf(before), after: countsOf(after) };
  const paired = pairs.length === 0 ? all : pairedPasses(pairs);
  // Nothing links the second attempt of one run with the second of the other, so all of them count. With a single
  // attempt on either side there is no spread to estimate, and the pair is read as it is.
  const counted = all.before.measured === 1 || all.after.measured === 1 ? paired : all;
  const { file, line, test, target } = after;
  const outcome = (side: 'before' | 'after', result: ComparedTest): TestOutcome => ({
    // With adaptive repeats, the number of attempts depends on the results: a part of them decides nothing.
    verdict: measuredVerdict(
      rules[side].adaptive === undefined ? paired[side] : all[side],
      result,
      rules[side],
    ),
    ...counted[side],
    score: scores.count === 0 ? undefined : scores[side] / scores.count,
  });
  return {
    file,
    line,
    test,
    target,
    isEdited: before.fingerprint !== after.fingerprint,
    pairs: pairs.length,
    better,
    worse,
    before: share(outcome('before', before)),
    after: share(outcome('after', after)),
    rates: share(
      pairs.length === 0
        ? { count: 1, sum: rateOf(all.after) - rateOf(all.before) }
        : { count: pairs.length, sum: better - worse },
    ),
    scores: share(scores),
  };
}

function pairedPasses(pairs: readonly Pair[]) {
  return {
    before: passesOf(pairs.map((pair) => pair.before)),
    after: passesOf(pairs.map((pair) => pair.after)),
  };
}

function passesOf(attempts: readonly ComparedAttempt[]): PassCounts {
  return {
    passed: attempts.filter(({ verdict }) => verdict === 'passed').length,
    measured: attempts.filter(({ verdict }) => isMeasured(verdict)).length,
  };
}

function countsOf(test: ComparedTest): PassCounts {
  return { passed: test.passed, measured: measuredOf(test) };
}

function rateOf({ passed, measured }: PassCounts): number {
  return passed / measured;
}

/** It was measured before, and every later attempt was an error, or skipped. */
function isLost(before: ComparedTest, after: ComparedTest): boolean {
  return hasMeasured(before) && !hasMeasured(after);
}

function hasMeasured(test: ComparedTest): boolean {
  return measuredOf(test) > 0;
}

function attemptIds(test: ComparedTest): readonly string[] {
  return test.attempts.map(({ repeat }) => attemptId(testKey(test), repeat));
}
