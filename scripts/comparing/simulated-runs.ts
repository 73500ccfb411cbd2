import { baselineTests } from '../../src/runs/compare/baseline-tests.ts';
import { compareRuns } from '../../src/runs/compare/compare-runs.ts';
import { ComparedFold } from '../../src/runs/compare/run-side.ts';
import { decideGate, isBeyondDecision } from '../../src/base/stats/sequential-gate.ts';
import type { Comparison } from '../../src/base/model/comparison.ts';
import type { Verdict } from '../../src/base/model/record.ts';
import type { Random } from '../random.ts';

/** How the pass rates of tests are spread. */
export type Rates = 'agent-like' | 'bimodal' | 'flaky' | 'solid';

export interface Shape {
  readonly name: string;
  readonly tests: number;
  readonly rates: Rates;
  /** How many attempts of a test a run makes; `auto` as `--repeats auto` does. */
  readonly before: (random: Random) => number | 'auto';
  readonly after: (random: Random) => number | 'auto';
  /** What share of the attempts ends in an error. */
  readonly errors?: number;
  /** The run before is a baseline file. */
  readonly asFile?: boolean;
}

/** How much less often a test passes after, given its place and its rate before. */
export type Drop = (place: number, rate: number) => number;

/** Two runs of simulated agents over the same tests, compared by the code that compares real ones. */
export function compareSimulated(shape: Shape, random: Random, drop: Drop = () => 0): Comparison {
  const folds = [new ComparedFold((file) => file), new ComparedFold((file) => file)] as const;
  for (let place = 0; place < shape.tests; place++) {
    const rate = drawRate(shape.rates, random);
    addTest(
      folds[0],
      place,
      verdicts({ rate, attempts: shape.before(random), errors: shape.errors }, random),
    );
    const rateAfter = Math.max(0, rate - drop(place, rate));
    addTest(
      folds[1],
      place,
      verdicts({ rate: rateAfter, attempts: shape.after(random), errors: shape.errors }, random),
    );
  }
  const [before, after] = [folds[0].side('before'), folds[1].side('after')];
  const file = { assay_baseline: 1, run_id: 'before', tests: baselineTests(before) } as const;
  return compareRuns(shape.asFile === true ? file : before, after, { rule: 'regression', alpha: 0.05 });
}

function drawRate(rates: Rates, random: Random): number {
  const between = (low: number, high: number): number => low + (high - low) * uniform(random);
  const choice = uniform(random);
  switch (rates) {
    case 'agent-like':
      return choice < 0.55 ? between(0.9, 1) : choice < 0.85 ? between(0.5, 1) : between(0.2, 0.7);
    case 'bimodal':
      return choice < 0.7 ? between(0.97, 1) : choice < 0.9 ? between(0, 0.1) : between(0, 1);
    case 'flaky':
      return between(0.3, 0.8);
    case 'solid':
      return 1;
  }
}

interface Attempts {
  readonly rate: number;
  readonly attempts: number | 'auto';
  readonly errors?: number | undefined;
}

function verdicts({ rate, attempts, errors = 0 }: Attempts, random: Random): readonly Verdict[] {
  const rule = { share: 0.8, confidence: 0.95, cap: 50 };
  const made: Verdict[] = [];
  let [passed, measured] = [0, 0];
  while (made.length < (attempts === 'auto' ? rule.cap : attempts)) {
    const verdict = random.chance(errors) ? 'error' : random.chance(rate) ? 'passed' : 'failed';
    made.push(verdict);
    if (verdict === 'passed') passed++;
    if (verdict !== 'error') measured++;
    const counts = { passed, measured };
    if (attempts === 'auto' && (decideGate(counts, rule) !== 'undecided' || isBeyondDecision(counts, rule)))
      break;
  }
  return made;
}

function addTest(fold: ComparedFold, place: number, list: readonly Verdict[]): void {
  for (const [index, verdict] of list.entries())
    fold.addRecord({
      id: `s::t${place}::a::${index + 1}`,
      file: 's',
      line: place + 1,
      column: 1,
      test: `t${place}`,
      target: 'a',
      repeat: index + 1,
      tags: [],
      fingerprint: '',
      verdict,
      retries: 0,
      started_at: '',
      duration_ms: 1,
    });
}

function uniform(random: Random): number {
  return random.below(2 ** 30) / 2 ** 30;
}
