// `npm run simulate:repeats [-- --seed N --tests N]`: what `--repeats auto` costs and gets right, against a fixed number of
// attempts that decides as many tests rightly. Computed by following every outcome, and checked by simulated tests.
import { parseArgs } from 'node:util';
import { decideGate, isBeyondDecision, type GateOutcome } from '../src/base/stats/sequential-gate.ts';
import { randomFrom } from './random.ts';

const { values } = parseArgs({ options: { seed: { type: 'string' }, tests: { type: 'string' } } });
const RULE = { share: 0.8, confidence: 0.95, cap: 50 };

/** What share of the tests has a pass rate that is uniform in an interval. */
type Mix = readonly { readonly weight: number; readonly low: number; readonly high: number }[];
const MIXES: Readonly<Record<string, Mix>> = {
  'agent-like': [
    { weight: 0.55, low: 0.9, high: 1 },
    { weight: 0.3, low: 0.5, high: 1 },
    { weight: 0.15, low: 0.2, high: 0.7 },
  ],
  bimodal: [
    { weight: 0.7, low: 0.97, high: 1 },
    { weight: 0.2, low: 0, high: 0.1 },
    { weight: 0.1, low: 0, high: 1 },
  ],
};

/** Exact for polynomials of up to 79th degree. */
const GAUSS = gaussRule(40);

for (const [name, mix] of Object.entries(MIXES)) {
  const exact = overMix(mix, adaptiveChances);
  const fixed = fixedAttempts(mix, exact.right);
  const simulated = simulate(mix);
  console.log(`${name}, gate ${RULE.share}, at most ${RULE.cap} attempts, ${RULE.confidence} sure`);
  console.log(`  adaptive   ${words(exact)}, ${exact.attempts.toFixed(2)} attempts of each test`);
  console.log(`  simulated  ${words(simulated)}, ${simulated.attempts.toFixed(2)} attempts of each test`);
  console.log(`  fixed      ${words(overMix(mix, (rate) => fixedChances(rate, fixed)))}, ${fixed} attempts`);
  console.log(`  saved      ${percent(1 - exact.attempts / fixed)}`);
}
const edge = adaptiveChances(RULE.share);
console.log(`at ${RULE.share} itself: held ${percent(edge.held)}, broken ${percent(edge.broken)}`);

interface Chances {
  readonly held: number;
  readonly broken: number;
  readonly attempts: number;
}

/** Follows every outcome of a test with this pass rate, from attempt to attempt. */
function adaptiveChances(rate: number): Chances {
  const ended = { held: 0, broken: 0, attempts: 0 };
  let reached = new Map([[0, 1]]);
  for (let measured = 1; reached.size > 0; measured++) {
    const after = new Map<number, number>();
    for (const [passed, chance] of reached) {
      ended.attempts += chance;
      after.set(passed + 1, (after.get(passed + 1) ?? 0) + chance * rate);
      after.set(passed, (after.get(passed) ?? 0) + chance * (1 - rate));
    }
    reached = new Map();
    for (const [passed, chance] of after) {
      const { outcome, isOver } = look(passed, measured);
      if (outcome !== 'undecided') ended[outcome] += chance;
      if (!isOver) reached.set(passed, chance);
    }
  }
  return ended;
}

function look(passed: number, measured: number): { readonly outcome: GateOutcome; readonly isOver: boolean } {
  const outcome = decideGate({ passed, measured }, RULE);
  const isOver =
    outcome !== 'undecided' || measured === RULE.cap || isBeyondDecision({ passed, measured }, RULE);
  return { outcome, isOver };
}

interface Quality {
  readonly right: number;
  readonly wrong: number;
  readonly attempts: number;
}

/** Over the rates of a mix. What is integrated are polynomials, for which enough points of Gauss's rule are exact. */
function overMix(mix: Mix, chancesAt: (rate: number) => Chances): Quality {
  const sum = { right: 0, wrong: 0, attempts: 0 };
  for (const { weight, low, high } of mix) {
    const edges = low < RULE.share && RULE.share < high ? [low, RULE.share, high] : [low, high];
    for (const [index, to] of edges.slice(1).entries()) {
      const from = edges[index]!;
      for (const point of GAUSS) {
        const rate = (from + to) / 2 + ((to - from) / 2) * point.at;
        const share = (weight * point.weight * (to - from)) / (high - low) / 2;
        const { held, broken, attempts } = chancesAt(rate);
        sum.right += share * (rate > RULE.share ? held : broken);
        sum.wrong += share * (rate > RULE.share ? broken : held);
        sum.attempts += share * attempts;
      }
    }
  }
  return sum;
}

/** Points and weights of Gauss's rule in -1..1: the roots of Legendre's polynomial, found by Newton's method. */
function gaussRule(points: number): readonly { readonly at: number; readonly weight: number }[] {
  return Array.from({ length: points }, (_, index) => {
    let at = Math.cos((Math.PI * (index + 0.75)) / (points + 0.5));
    let slope = 1;
    for (let round = 0; round < 100; round++) {
      let [value, before] = [1, 0];
      for (let degree = 1; degree <= points; degree++)
        [value, before] = [((2 * degree - 1) * at * value - (degree - 1) * before) / degree, value];
      slope = (points * (at * value - before)) / (at * at - 1);
      at -= value / slope;
    }
    return { at, weight: 2 / ((1 - at * at) * slope * slope) };
  });
}

/** The smallest number whose two one-sided exact tests decide as many tests of the mix rightly. */
function fixedAttempts(mix: Mix, right: number): number {
  let attempts = 1;
  while (overMix(mix, (rate) => fixedChances(rate, attempts)).right < right) attempts++;
  return attempts;
}

function fixedChances(rate: number, attempts: number): Chances {
  const atEdge = binomial(RULE.share, attempts);
  const error = 1 - RULE.confidence;
  const own = binomial(rate, attempts);
  const sumOf = (list: readonly number[]): number => list.reduce((total, chance) => total + chance, 0);
  let [hold, broken] = [attempts + 1, 0];
  while (sumOf(atEdge.slice(hold - 1)) <= error) hold--;
  while (sumOf(atEdge.slice(0, broken + 1)) <= error) broken++;
  return { held: sumOf(own.slice(hold)), broken: sumOf(own.slice(0, broken)), attempts };
}

/** The chance of each number of passes. */
function binomial(rate: number, attempts: number): readonly number[] {
  let chances = [1];
  for (let made = 0; made < attempts; made++)
    chances = Array.from(
      { length: made + 2 },
      (_, passed) => (chances[passed] ?? 0) * (1 - rate) + (chances[passed - 1] ?? 0) * rate,
    );
  return chances;
}

function simulate(mix: Mix): Quality {
  const random = randomFrom(Number(values.seed ?? 1));
  const tests = Number(values.tests ?? 200_000);
  const uniform = (): number => random.below(2 ** 30) / 2 ** 30;
  const counted = { right: 0, wrong: 0, attempts: 0 };
  for (let test = 0; test < tests; test++) {
    let choice = uniform();
    const part = mix.find(({ weight }) => (choice -= weight) < 0) ?? mix[0]!;
    const rate = part.low + (part.high - part.low) * uniform();
    for (let [passed, measured] = [0, 1]; ; measured++) {
      if (random.chance(rate)) passed++;
      const { outcome, isOver } = look(passed, measured);
      if (!isOver) continue;
      counted.attempts += measured / tests;
      const isRight = outcome === (rate >= RULE.share ? 'held' : 'broken');
      if (outcome !== 'undecided') counted[isRight ? 'right' : 'wrong'] += 1 / tests;
      break;
    }
  }
  return counted;
}

function words({ right, wrong }: Quality): string {
  return `${percent(right)} decided rightly, ${percent(wrong)} wrongly`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}
