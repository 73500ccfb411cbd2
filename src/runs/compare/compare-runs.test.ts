import * as fc from '../../../test/seeded-fast-check.ts';
import { describe, expect, test } from 'vitest';
import type { GateRules } from '../../base/model/gate.ts';
import type { Comparison, RegressionRule } from '../../base/model/comparison.ts';
import type { RecordOutline, Verdict } from '../../base/model/record.ts';
import { baselineTests } from './baseline-tests.ts';
import { compareRuns } from './compare-runs.ts';
import { ComparedFold, type RunSide } from './run-side.ts';

interface Given extends Partial<RecordOutline> {
  readonly test: string;
  readonly verdict: Verdict;
}

function rows(given: readonly Given[], rules?: GateRules): RunSide {
  const folded = new ComparedFold((file) => file, rules);
  for (const one of given) {
    const { file = 'a.test.yaml', target = 'agent', repeat = 1 } = one;
    const id = `${file}::${one.test}::${target}::${repeat}`;
    folded.addRecord({
      id,
      line: 1,
      column: 1,
      tags: [],
      fingerprint: 'f',
      retries: 0,
      started_at: '',
      duration_ms: 10,
      ...one,
      file,
      target,
      repeat,
    });
  }
  return folded.side('run');
}

/** `a: PPF` is a test with three repeats; E is an error, S is skipped. */
function run(
  results: Readonly<Record<string, string>>,
  more: Partial<RecordOutline> = {},
  rules?: GateRules,
): RunSide {
  const verdicts = { P: 'passed', F: 'failed', E: 'error', S: 'skipped' } as const;
  return rows(
    Object.entries(results).flatMap(([name, letters]) =>
      [...letters].map((letter, index) => ({
        test: name,
        repeat: index + 1,
        verdict: verdicts[letter as 'P'],
        ...more,
      })),
    ),
    rules,
  );
}

function compared(before: RunSide, after: RunSide, rule: RegressionRule = 'regression'): Comparison {
  return compareRuns(before, after, { rule, alpha: 0.05 });
}

test('a run with adaptive repeats is compared by its verdicts', () => {
  const rules = { min_coverage: 0.9, adaptive: { confidence: 0.95, max_repeats: 50, pass_at_least: 0.8 } };
  const once = 'PPF' + 'P'.repeat(28);
  const { tests } = compared(run({ a: 'P'.repeat(17) }, {}, rules), run({ a: once }, {}, rules));
  expect(tests.new_failures).toBe(0);
  expect(baselineTests(run({ a: once }, {}, rules))).toMatchObject([{ verdict: 'passed' }]);
  expect(baselineTests(run({ a: once }))).toMatchObject([{ verdict: 'failed' }]);
});

/** As many tests as letters. */
function many(letters: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...letters].map((letter, index) => [`t${index}`, letter]));
}

describe('pairing', () => {
  test('attempts that both runs measured are paired, and the others are listed', () => {
    const comparison = compared(
      run({ a: 'PP', b: 'PE', c: 'P', gone: 'PF' }),
      run({ a: 'PF', b: 'PP', c: 'S', new: 'P' }),
    );
    expect(comparison).toMatchObject({
      unit: 'attempt',
      pairs: 3,
      tests: { compared: 2 },
      only_before: ['a.test.yaml::gone::agent::1', 'a.test.yaml::gone::agent::2'],
      only_after: ['a.test.yaml::new::agent::1'],
      unmeasured: ['a.test.yaml::b::agent::2', 'a.test.yaml::c::agent::1'],
      verdicts: { new_failures: 1, fixes: 0 },
    });
    expect(comparison.before).toMatchObject({ passed: 5, measured: 6 });
  });

  test('a test that still passes often enough for its gate has not got worse', () => {
    const asked = { pass_at_least: '8/10' };
    const before = run({ a: 'PPPPPPPPPP' }, asked);
    const held = run({ a: 'PPPPPPPPPF' }, asked);
    const broken = run({ a: 'PPPPPPPFFF' }, asked);
    expect(compared(before, held)).toMatchObject({
      changes: [{ kind: 'flip', after: { verdict: 'passed', passed: 9 } }],
      regression: { found: false },
    });
    expect(compared(before, held, 'any').regression.found).toBe(true);
    expect(compared(before, broken, 'new-failure')).toMatchObject({
      changes: [{ kind: 'new_failure', after: { verdict: 'failed' } }],
      regression: { found: true },
    });
    // Its own gate is broken, which ends a run with 1; three failures of ten may still be chance.
    expect(compared(before, broken).regression.found).toBe(false);
    expect([held, broken].map((one) => baselineTests(one)[0]!.verdict)).toEqual(['passed', 'failed']);
  });

  test('extra repeats of one run count on neither side', () => {
    const comparison = compared(run({ a: 'P' }), run({ a: 'PFFF' }));
    expect(comparison).toMatchObject({ pairs: 1, changes: [], regression: { found: false } });
    expect(comparison.only_after).toHaveLength(3);
  });

  test('for an attempt that ran again, the last record counts', () => {
    const before = rows([
      { test: 'a', verdict: 'failed' },
      { test: 'a', verdict: 'passed' },
    ]);
    expect(compared(before, run({ a: 'F' }))).toMatchObject({ pairs: 1, verdicts: { new_failures: 1 } });
  });

  test('runs of one target each are compared although the target differs; with several targets, each is compared with itself', () => {
    const [old, other] = [
      run({ a: 'P', b: 'F' }, { target: 'old' }),
      run({ a: 'F', b: 'F' }, { target: 'new' }),
    ];
    expect(compared(old, other)).toMatchObject({ pairs: 2, changes: [{ test: 'a', target: 'new' }] });
    const both = rows([
      { test: 'a', verdict: 'passed', target: 'old' },
      { test: 'a', verdict: 'failed', target: 'new' },
    ]);
    expect(compared(old, both)).toMatchObject({ pairs: 1, changes: [] });
  });

  test('a test that now has only errors, or is skipped, is lost; one that is gone is, if the run is whole', () => {
    const [before, after] = [run({ a: 'P', b: 'P', c: 'P' }), run({ a: 'E', b: 'S', d: 'P' })];
    expect(compared(before, after).lost_tests).toEqual(['a.test.yaml::a::agent', 'a.test.yaml::b::agent']);
    const whole = compareRuns(before, after, { rule: 'regression', alpha: 0.05, hasAllOf: () => true });
    expect(whole.lost_tests).toContain('a.test.yaml::c::agent');
    expect(compared(run({ a: 'E' }), run({ a: 'E' })).lost_tests).toEqual([]);
  });

  test('tests that were edited are counted', () => {
    const comparison = compared(run({ a: 'P', b: 'P' }), run({ a: 'P', b: 'P' }, { fingerprint: 'g' }));
    expect(comparison.tests.edited).toBe(2);
  });
});

describe('changes', () => {
  test('are grouped by kind, the worst first', () => {
    const before = rows([
      ...['a', 'b', 'c', 'd', 'e'].map((name) => ({ test: name, verdict: 'passed' as const, score: 1 })),
      { test: 'f', verdict: 'failed', score: 0 },
      { test: 'g', verdict: 'failed', repeat: 1 },
      { test: 'g', verdict: 'passed', repeat: 2 },
    ]);
    const after = rows([
      { test: 'a', verdict: 'passed', score: 1 },
      { test: 'b', verdict: 'passed', score: 0.95 },
      { test: 'c', verdict: 'failed', score: 0.2 },
      { test: 'd', verdict: 'passed', score: 0.9 },
      { test: 'e', verdict: 'passed', score: 1 - 1e-12 },
      { test: 'f', verdict: 'passed', score: 1 },
      { test: 'g', verdict: 'passed', repeat: 1 },
      { test: 'g', verdict: 'failed', repeat: 2 },
    ]);
    const { changes, tests } = compared(before, after);
    expect(changes.map((change) => `${change.test} ${change.kind}`)).toEqual([
      'c new_failure',
      'f fix',
      'g flip',
      'd score',
      'b score',
    ]);
    expect(tests).toMatchObject({ compared: 7, new_failures: 1, fixes: 1, flips: 1, scores: 2 });
  });

  test('are sorted by name within a place, independent of the order in which attempts ended', () => {
    const { changes } = compared(
      run({ a: 'P', b: 'P', c: 'P', d: 'P' }),
      run({ b: 'F', a: 'F', d: 'F', c: 'F' }),
    );
    expect(changes.map(({ test: name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    const third = compared(run({ a: 'P', b: 'P', c: 'P' }), run({ b: 'F', a: 'F', c: 'F' }));
    expect(third.changes.map(({ test: name }) => name)).toEqual(['a', 'b', 'c']);
  });

  test('a test with repeats has its own p-value, corrected for the number of such tests', () => {
    const [five] = compared(run({ a: 'PPPPP' }), run({ a: 'FFFFF' })).changes;
    expect(five!.p_value).toBeCloseTo(2 / 252, 12);
    const [ofThree] = compared(
      run({ a: 'PPPPP', b: 'PPPPP', c: 'PPPPP' }),
      run({ a: 'FFFFF', b: 'PPPPP', c: 'PPPPP' }),
    ).changes;
    // The others always passed, so that none of them could have come out like this by chance.
    expect(ofThree!.p_value).toBeCloseTo(2 / 252, 12);
    const [amongFlaky] = compared(
      run({ a: 'PPPPP', b: 'PPFFF', c: 'PPPFF' }),
      run({ a: 'FFFFF', b: 'PPPFF', c: 'PPFFF' }),
    ).changes;
    // These could have: they pass five times of ten, too.
    expect(amongFlaky!.p_value).toBeCloseTo((3 * 2) / 252, 12);
    for (const [one, other] of [
      ['P', 'F'],
      ['PPPPPP', 'F'],
      ['P', 'FFFFFF'],
    ] as const)
      expect(compared(run({ a: one }), run({ a: other })).changes[0]!.p_value).toBeUndefined();
  });
});

describe('significance', () => {
  test('3 new failures and 1 fix among 120', () => {
    const { verdicts } = compared(run(many(`FPPP${'P'.repeat(116)}`)), run(many(`PFFF${'P'.repeat(116)}`)));
    expect(verdicts).toMatchObject({ new_failures: 3, fixes: 1 });
    expect(verdicts.p_value).toBeCloseTo(0.625, 12);
    expect(verdicts.difference!.value).toBeCloseTo(-2 / 120, 12);
    // 1057 pairs are wanted, 120 are there, and each repeat adds 120.
    expect(verdicts.repeats_to_settle).toBe(8);
    expect(verdicts.by_test).toBeUndefined();
  });

  test('a settled comparison needs no more pairs, and an equal one can never be settled', () => {
    expect(compared(run(many('PPPPPPPP')), run(many('FFFFFFFF'))).verdicts.repeats_to_settle).toBeUndefined();
    expect(compared(run(many('PF')), run(many('FP'))).verdicts.repeats_to_settle).toBeUndefined();
    expect(compared(run(many('PPPPP')), run(many('FFFFF'))).verdicts.repeats_to_settle).toBe(1);
  });

  test('with repeats, one broken test is significant for itself and says little about the whole', () => {
    const before = { a: 'P'.repeat(10), b: 'P'.repeat(10), c: 'P'.repeat(10), d: 'P'.repeat(10) };
    const { verdicts } = compared(run(before), run({ ...before, a: 'F'.repeat(10) }));
    expect(verdicts.p_value).toBeCloseTo(2 / 184_756, 12);
    expect(verdicts.by_test!.p_value).toBe(1);
    expect(verdicts.by_test!.difference!.value).toBeCloseTo(verdicts.difference!.value, 12);
    expect(verdicts.by_test!.difference!.high).toBeGreaterThan(0);
    expect(verdicts.difference!.high).toBeLessThan(0);
  });

  test('without pairs there is no result', () => {
    const { verdicts, scores } = compared(run({ a: 'P' }), run({ b: 'P' }));
    expect(verdicts).toEqual({ new_failures: 0, fixes: 0, by_test: undefined });
    expect(scores).toEqual({});
  });

  test('for the same replies judged twice there are counts and no p-value', () => {
    const options = { rule: 'regression', alpha: 0.05, sameReplies: true } as const;
    const comparison = compareRuns(run({ a: 'PPP' }), run({ a: 'FFF' }), options);
    expect(comparison).toMatchObject({ same_replies: true, verdicts: { new_failures: 3, fixes: 0 } });
    expect(comparison.verdicts.p_value).toBeUndefined();
    expect(comparison.changes[0]!.p_value).toBeUndefined();
    expect(comparison.latency_median_ms).toBeUndefined();
  });
});

describe('time, tokens and cost', () => {
  test('sums and quantiles cover the pairs with values on both sides', () => {
    const usage = { input: 100, output: 20, cached: 5 };
    const before = rows([
      { test: 'a', verdict: 'passed', cost_usd: 0.5, token_usage: usage, duration_ms: 100 },
      { test: 'b', verdict: 'passed', cost_usd: 0.5, duration_ms: 200 },
      { test: 'c', verdict: 'error', cost_usd: 9, duration_ms: 9000 },
    ]);
    const after = rows([
      { test: 'a', verdict: 'passed', cost_usd: 0.25, token_usage: usage, duration_ms: 300 },
      { test: 'b', verdict: 'passed', token_usage: usage, duration_ms: 500 },
      { test: 'c', verdict: 'passed', cost_usd: 9, duration_ms: 9000 },
    ]);
    const comparison = compared(before, after);
    expect(comparison.cost_usd).toEqual({ before: 0.5, after: 0.25, pairs: 1 });
    expect(comparison.tokens).toEqual({ before: 125, after: 125, pairs: 1 });
    expect(comparison.latency_median_ms).toEqual({ before: 150, after: 400, pairs: 2 });
    expect(comparison.latency_p95_ms).toEqual({ before: 195, after: 490, pairs: 2 });
  });
});

describe('regressions', () => {
  const flaky = [run({ a: 'PF', b: 'PP' }), run({ a: 'FP', b: 'PP' })] as const;
  const ten = 'P'.repeat(10);
  const broken = [run({ a: ten, b: 'PFPFPFPFPF' }), run({ a: 'F'.repeat(10), b: ten })] as const;
  const eachALittle = [
    run(Object.fromEntries([...'abcdefghij'].map((name) => [name, 'PPPP']))),
    run(Object.fromEntries([...'abcdefghij'].map((name) => [name, 'PPPF']))),
  ] as const;

  test.each<[RegressionRule, readonly [RunSide, RunSide], boolean]>([
    // One attempt on either side is read as it stands.
    ['regression', [run({ a: 'P' }), run({ a: 'F' })], true],
    ['regression', [run({ a: 'F' }), run({ a: 'P' })], false],
    ['regression', [run({ a: 'PPPPP' }), run({ a: 'F' })], true],
    ['regression', [run({ a: 'P' }), run({ a: 'FFFFF' })], true],
    ['regression', [run({ a: 'P', b: ten }), run({ a: 'F', b: ten })], true],
    ['regression', [run({ a: 'PEEEE' }), run({ a: 'EEEEF' })], true],
    // With repeats, only what chance does not explain.
    ['regression', [run({ a: 'PP' }), run({ a: 'PF' })], false],
    ['regression', [run({ a: 'PPP' }), run({ a: 'FFF' })], false],
    ['regression', [run({ a: 'PPPP' }), run({ a: 'FFFF' })], true],
    ['regression', [run({ a: ten }), run({ a: 'FFF' })], true],
    ['regression', [run({ a: ten }), run({ a: `${ten}${'F'.repeat(20)}` })], true],
    ['regression', [run({ a: 'FFFF' }), run({ a: 'PPPP' })], false],
    ['regression', flaky, false],
    ['regression', broken, true],
    ['regression', eachALittle, true],
    ['significant', broken, true],
    ['significant', eachALittle, true],
    ['significant', [broken[1], broken[0]], false],
    ['significant', [run({ a: 'P' }), run({ a: 'F' })], false],
    ['significant', [run(many('PPPPP')), run(many('FFFFF'))], false],
    ['significant', [run(many('PPPPPP')), run(many('FFFFFF'))], true],
    ['significant', [run(many('FFFFFF')), run(many('PPPPPP'))], false],
    ['new-failure', [run({ a: 'PP' }), run({ a: 'PF' })], true],
    ['new-failure', flaky, false],
    ['any', flaky, true],
    ['any', [run({ a: 'P' }, { score: 0.9 }), run({ a: 'P' }, { score: 0.8 })], true],
    ['any', [run({ a: 'P' }, { score: 0.8 }), run({ a: 'P' }, { score: 0.9 })], false],
    ['any', [run({ a: 'F' }), run({ a: 'P' })], false],
  ])('%s, case %#', (rule, [before, after], found) => {
    expect(compared(before, after, rule).regression).toMatchObject({ rule, found });
  });

  test('say whether the whole run got worse, and which tests did', () => {
    expect(compared(...broken).regression).toEqual({
      rule: 'regression',
      found: true,
      whole: false,
      tests: [{ id: 'a.test.yaml::a::agent', because: 'drop' }],
    });
    expect(compared(...eachALittle).regression).toEqual({
      rule: 'regression',
      found: true,
      whole: true,
      tests: [],
    });
    expect(compared(run({ a: 'P', b: 'PP' }), run({ a: 'F', b: 'PF' })).regression.tests).toEqual([
      { id: 'a.test.yaml::a::agent', because: 'new_failure' },
    ]);
  });

  test('a test that both runs measured, but never in the same repeat, is compared', () => {
    const comparison = compared(run({ a: 'PPEEE', b: 'P' }), run({ a: 'EEFFF', b: 'P' }), 'new-failure');
    expect(comparison).toMatchObject({ pairs: 1, tests: { compared: 2 }, regression: { found: true } });
  });

  test('for the same replies judged twice, every changed verdict counts', () => {
    const options = { rule: 'regression', alpha: 0.05, sameReplies: true } as const;
    const { regression, detectable } = compareRuns(run({ a: 'PPP' }), run({ a: 'PPF' }), options);
    expect(regression).toMatchObject({ found: true, whole: false });
    expect(detectable).toBeUndefined();
  });
});

describe('the smallest detectable drop', () => {
  const suite = (letters: string, tests = 20) =>
    run(Object.fromEntries(Array.from({ length: tests }, (_, index) => [`t${index}`, letters])));

  test('is given for the run and for a test, and falls with more repeats', () => {
    const [five, ten] = ['PPPPP', 'PPPPPPPPPP'].map((letters) => {
      return compared(suite(letters), suite(letters)).detectable!;
    });
    expect(five).toMatchObject({ power: 0.8, single_tests: 0, test: { before: 5, after: 5, at_most: 1 } });
    expect(ten).toMatchObject({ test: { before: 10, after: 10, at_most: 5 } });
    expect(ten!.whole!).toBeLessThan(five!.whole!);
    expect(ten!.test!.drop).toBeLessThan(five!.test!.drop);
    // From 5/5 to 1/5 is a regression, to 2/5 is not.
    const alone = (after: string) =>
      compared(run({ a: 'PPPPP', b: 'PPPPP' }), run({ a: after, b: 'PPPPP' })).regression.found;
    expect([alone('PFFFF'), alone('PPFFF')]).toEqual([true, false]);
  });

  test('three repeats never detect a drop of a single test, and the text says how many would', () => {
    const { detectable } = compared(suite('PPP'), suite('PPP'));
    expect(detectable).toMatchObject({ test: undefined, repeats_for_a_test: 4 });
    const { regression } = compared(run({ a: 'PPP', b: 'PPP' }), run({ a: 'FFF', b: 'PPP' }));
    expect(regression.found).toBe(false);
    expect(compared(run({ a: 'PPP' }), run({ a: 'PPP' })).detectable).toMatchObject({
      repeats_for_a_test: 4,
    });
  });

  test('never claims that no test could show a drop while one does', () => {
    const letters = ['PPPP', 'PPPF', 'FFPP', 'FFFF', 'PPP', 'PPPPPP', 'P'];
    const broken = { PPPP: 'FFFF', PPPPPP: 'FFFFFF', PPP: 'FFF' };
    for (const other of letters)
      for (const [before, after] of Object.entries(broken)) {
        const others = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`t${index}`, other]));
        const { detectable, regression } = compared(
          run({ ...others, broken: before }),
          run({ ...others, broken: after }),
        );
        if (regression.tests.length > 0) expect(detectable!.test).toBeDefined();
        if (detectable!.test === undefined) {
          const had = Math.min(before.length, other.length);
          expect(detectable!.repeats_for_a_test).toBeGreaterThan(had);
        }
      }
    const { detectable, regression } = compared(run({ a: 'PPPP', b: 'PPPP' }), run({ a: 'FFFF', b: 'FFFF' }));
    expect(regression.tests).toEqual([]);
    expect(detectable).toMatchObject({ test: undefined, repeats_for_a_test: 5 });
  });

  test('single attempts count, and too few of them show nothing', () => {
    const { detectable } = compared(run({ a: 'P', b: 'PP', c: 'PPP' }), run({ a: 'P', b: 'P', c: 'PP' }));
    expect(detectable).toMatchObject({ single_tests: 2, whole: undefined });
  });
});

describe('a baseline file as one side', () => {
  const baselineOf = (side: RunSide) =>
    ({ assay_baseline: 1, run_id: 'base', tests: baselineTests(side) }) as const;
  const options = { rule: 'regression', alpha: 0.05 } as const;

  test('pairs tests', () => {
    const comparison = compareRuns(
      baselineOf(run({ a: 'P', b: 'F', c: 'E', d: 'P', gone: 'P' })),
      run({ a: 'F', b: 'P', c: 'P', d: 'E', new: 'P' }),
      options,
    );
    expect(comparison).toMatchObject({
      unit: 'test',
      pairs: 2,
      verdicts: { new_failures: 1, fixes: 1, p_value: 1 },
      only_before: ['a.test.yaml::gone::agent'],
      only_after: ['a.test.yaml::new::agent'],
      unmeasured: ['a.test.yaml::c::agent', 'a.test.yaml::d::agent'],
      lost_tests: ['a.test.yaml::d::agent'],
      regression: { found: true },
    });
  });

  test('counts every attempt if the number of repeats differs', () => {
    const { verdicts, changes } = compareRuns(
      baselineOf(run({ a: 'PPPP', b: 'PPPP', c: 'PPPP' })),
      run({ a: 'FF', b: 'PP', c: 'PF' }),
      options,
    );
    expect(verdicts).toMatchObject({ new_failures: 2, by_test: { p_value: 0.5 } });
    // Of `a`, 2 of the 6 attempts failed, of `c` 1: how likely do all three fall on the last two of each?
    expect(verdicts.p_value).toBeCloseTo(2 * (1 / 15) * (2 / 6), 12);
    expect(verdicts.difference!.value).toBeCloseTo(-1.5 / 3, 12);
    expect(changes[0]!.p_value).toBeCloseTo(2 / 15, 12);
  });

  test('gives the same result as the run it was made from', () => {
    const before = run({ a: 'PPPPF', b: 'PFPFP', c: 'PPPPP', d: 'P' });
    const after = run({ a: 'FFFPF', b: 'PPPFP', c: 'PPPPP', d: 'P' });
    const [file, direct] = [baselineOf(before), before].map((side) => compareRuns(side, after, options));
    expect(file!.verdicts.p_value).toBe(direct!.verdicts.p_value);
    expect(file!.verdicts.difference).toEqual(direct!.verdicts.difference);
    expect(file!.detectable).toEqual(direct!.detectable);
    expect(file!.regression).toEqual(direct!.regression);
    expect(file!.changes.map(({ p_value }) => p_value)).toEqual(
      direct!.changes.map(({ p_value }) => p_value),
    );
  });

  test('a run compared with itself has no changes', () => {
    const side = run({ a: 'PPF', b: 'PPP' }, { score: 1 / 3, cost_usd: 1 / 7, duration_ms: 1234.567 });
    const comparison = compareRuns(baselineOf(side), side, options);
    expect(comparison.changes).toEqual([]);
    expect(comparison.cost_usd!.before).toBe(comparison.cost_usd!.after);
    expect(comparison.latency_median_ms!.before).toBe(comparison.latency_median_ms!.after);
  });
});

test('swapping the two runs swaps all results', () => {
  const letters = fc.array(fc.constantFrom('P', 'F', 'E', 'S'), { maxLength: 4 }).map((all) => all.join(''));
  const side = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), letters);
  fc.assert(
    fc.property(side, side, (one, other) => {
      const forth = compared(run(one), run(other));
      const back = compared(run(other), run(one));
      expect(back.pairs).toBe(forth.pairs);
      expect(back.only_before).toEqual(forth.only_after);
      expect(back.unmeasured).toEqual(forth.unmeasured);
      expect(back.verdicts.new_failures).toBe(forth.verdicts.fixes);
      expect(back.verdicts.p_value ?? 0).toBeCloseTo(forth.verdicts.p_value ?? 0, 12);
      expect(back.verdicts.by_test?.p_value).toBe(forth.verdicts.by_test?.p_value);
      expect(back.tests.new_failures).toBe(forth.tests.fixes);
      expect(back.tests.flips).toBe(forth.tests.flips);
      expect(back.verdicts.difference?.low ?? 0).toBeCloseTo(-(forth.verdicts.difference?.high ?? 0), 9);
      expect(compared(run(one), run(one)).changes).toEqual([]);
    }),
  );
});

test('the order of the tests does not matter', () => {
  const letters = fc.constantFrom('P', 'F', 'PF', 'E', '');
  const side = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), letters);
  const shuffled = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f'], { minLength: 6 });
  fc.assert(
    fc.property(side, side, shuffled, (one, other, order) => {
      const turned = Object.fromEntries(
        order.flatMap((name) => (name in other ? [[name, other[name]!]] : [])),
      );
      const { changes, ...comparison } = compared(run(one), run(turned));
      const { changes: sameChanges, ...same } = compared(run(one), run(other));
      expect(comparison).toEqual(same);
      const byName = (all: Comparison['changes']) => all.toSorted((a, b) => (a.test < b.test ? -1 : 1));
      expect(byName(changes)).toEqual(byName(sameChanges));
    }),
  );
});

describe('counting each test once', () => {
  test('a test with many repeats counts as much as any other', () => {
    // One test with 100 repeats breaks; nine with a single attempt stay.
    const names = Array.from({ length: 9 }, (_, index) => `steady ${index}`);
    const steady = Object.fromEntries(names.map((name) => [name, 'P']));
    const { by_test } = compared(
      run({ ...steady, broken: 'P'.repeat(100) }),
      run({ ...steady, broken: 'F'.repeat(100) }),
    ).verdicts;
    expect(by_test!.difference!.value).toBeCloseTo(-0.1, 12);
    expect(by_test!.p_value).toBe(1);
  });

  test('the difference is the mean of the differences of the tests', () => {
    const letters = fc.array(fc.constantFrom('P', 'F'), { minLength: 1, maxLength: 12 });
    const tests = fc.array(fc.tuple(letters, letters), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(tests, (pairs) => {
        const side = (index: 0 | 1) =>
          run(Object.fromEntries(pairs.map((pair, place) => [`t${place}`, pair[index].join('')])));
        const { by_test } = compared(side(0), side(1)).verdicts;
        if (by_test?.difference === undefined) return true;
        const rate = (all: readonly string[]): number => all.filter((one) => one === 'P').length / all.length;
        // With a single attempt on a side, only the pair counts.
        const changes = pairs.map(([before, after]) => {
          const most = before.length === 1 || after.length === 1 ? 1 : Infinity;
          return rate(after.slice(0, most)) - rate(before.slice(0, most));
        });
        const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
        return Math.abs(by_test.difference.value - mean) < 1e-9;
      }),
    );
  });
});

test('an interval contains 0 exactly if the difference could be chance', () => {
  const { verdicts } = compared(
    run({ a: 'P', b: 'P', c: 'P', d: 'P' }),
    run({ a: 'F', b: 'F', c: 'F', d: 'F' }),
  );
  expect(verdicts).toMatchObject({ p_value: 0.125, difference: { value: -1, low: -1, high: 0 } });
  const letters = fc.array(fc.constantFrom('P', 'F'), { minLength: 1, maxLength: 9 });
  const tests = fc.array(fc.tuple(letters, letters), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(tests, (pairs) => {
      const side = (index: 0 | 1) =>
        run(Object.fromEntries(pairs.map((pair, place) => [`t${place}`, pair[index].join('')])));
      const { difference, p_value, by_test } = compared(side(0), side(1)).verdicts;
      const agree = (estimate: typeof difference, p: number): boolean =>
        estimate === undefined ||
        (p >= 0.05 ? estimate.low <= 0 && estimate.high >= 0 : estimate.low * estimate.high >= 0);
      return agree(difference, p_value!) && agree(by_test?.difference, by_test?.p_value ?? 1);
    }),
  );
});
