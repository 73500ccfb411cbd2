import type { TestOutcome } from '../model/comparison.ts';
import { attemptId, testKey } from '../model/test-key.ts';
import type { PassCounts } from '../stats/pass-counts.ts';
import { measuredVerdict } from './measured-verdict.ts';
import { PairedMeasure } from './measures.ts';
import { matchTests } from './match-tests.ts';
import { goneTests, SAME_SCORE, type PairedTest, type Pairing } from './pairing.ts';
import { isMeasured, type AttemptRow, type TestRows } from './run-rows.ts';

/** Pairs the attempts of two runs: the same repeat of the same test. */
export function pairAttempts(before: readonly TestRows[], after: readonly TestRows[]): Pairing {
  const { matched, onlyBefore, onlyAfter } = matchTests(before, after);
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
      cost.add(pair.before.costUsd, pair.after.costUsd);
      tokens.add(pair.before.tokens, pair.after.tokens);
      latency.add(pair.before.durationMs, pair.after.durationMs);
    }
    if (measured.length > 0 || (hasMeasured(match.before) && hasMeasured(match.after)))
      tests.push(toPairedTest(match, measured, share));
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
    goneTests: goneTests(onlyBefore.filter(hasMeasured), after),
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
  readonly before: AttemptRow;
  readonly after: AttemptRow;
}

/** Both lists are ordered by repeat. */
function matchRepeats(before: readonly AttemptRow[], after: readonly AttemptRow[]) {
  const pairs: Pair[] = [];
  const onlyBefore: AttemptRow[] = [];
  const onlyAfter: AttemptRow[] = [];
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
  readonly before: TestRows;
  readonly after: TestRows;
}

function toPairedTest({ before, after }: Match, pairs: readonly Pair[], share: Share): PairedTest {
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
  const all = { before: passesOf(before.attempts), after: passesOf(after.attempts) };
  const paired = pairs.length === 0 ? all : pairedPasses(pairs);
  // Nothing links the second attempt of one run with the second of the other, so all of them count. With a single
  // attempt on either side there is no spread to estimate, and the pair is read as it is.
  const counted = all.before.measured === 1 || all.after.measured === 1 ? paired : all;
  const { file, line, test, target } = after;
  const outcome = (side: 'before' | 'after', rows: TestRows): TestOutcome => ({
    // With adaptive repeats, the number of attempts depends on the results: a part of them decides nothing.
    verdict: measuredVerdict(rows.rules.adaptive === undefined ? paired[side] : all[side], rows),
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

function passesOf(attempts: readonly AttemptRow[]): PassCounts {
  return {
    passed: attempts.filter(({ verdict }) => verdict === 'passed').length,
    measured: attempts.filter(({ verdict }) => isMeasured(verdict)).length,
  };
}

function rateOf({ passed, measured }: PassCounts): number {
  return passed / measured;
}

/** It was measured before, and every later attempt was an error, or skipped. */
function isLost(before: TestRows, after: TestRows): boolean {
  return hasMeasured(before) && !hasMeasured(after);
}

function hasMeasured({ attempts }: TestRows): boolean {
  return attempts.some(({ verdict }) => isMeasured(verdict));
}

function attemptIds(rows: TestRows): readonly string[] {
  return rows.attempts.map((row) => attemptId(testKey(rows), row.repeat));
}
