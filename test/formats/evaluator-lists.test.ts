import { describe, expect, test } from 'vitest';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';
import { CASE_FORMATS, COMPLETE, parseCase, summary } from './parse-case.ts';

const contains = (value: string, more: Record<string, unknown> = {}) => ({
  type: 'contains',
  value,
  ...more,
});

describe.each(['yaml', 'json'] as const)('which list of evaluators counts, in %s', (format) => {
  const kinds = (fields: Record<string, unknown>, top: Record<string, unknown> = {}) => {
    const { test: read, findings } = parseCase({ ...COMPLETE, ...fields }, format, top);
    return {
      names: read?.steps[0]?.assertions.map(({ name }) => name),
      values: read?.steps[0]?.assertions.map(({ parameters }) => parameters['value']),
      findings: findings.map(summary),
    };
  };

  test("execution.evaluators wins over evaluators, and both replace the suite's list", () => {
    const top = { evaluators: [contains('suite')] };
    const execution = { evaluators: [contains('execution')] };
    expect(kinds({}, top).values).toEqual(['suite']);
    expect(kinds({ evaluators: [contains('own')] }, top).values).toEqual(['own']);
    expect(kinds({ execution }, top).values).toEqual(['execution']);
    const both = kinds({ execution, evaluators: [contains('own')] }, top);
    expect(both.values).toEqual(['execution']);
    expect(both.findings).toEqual(['warning evaluators_ignored evaluators']);
  });

  test("the suite's execution.evaluators come before its evaluators", () => {
    const both = kinds(
      {},
      { execution: { evaluators: [contains('execution')] }, evaluators: [contains('suite')] },
    );
    expect(both.values).toEqual(['execution']);
    expect(both.findings).toEqual(['warning evaluators_ignored evaluators']);
  });

  test('a target in execution does not remove the evaluators of the suite', () => {
    expect(
      kinds({ execution: { target: 't' } }, { execution: { evaluators: [contains('suite')] } }).values,
    ).toEqual(['suite']);
  });

  test("null counts as absent: the suite's list is used", () => {
    expect(kinds({ evaluators: null }, { evaluators: [contains('suite')] })).toMatchObject({
      values: ['suite'],
      findings: ['warning null_value evaluators'],
    });
  });

  test('rubrics are added to the list that wins', () => {
    expect(kinds({ rubrics: ['kind'] }, { evaluators: [contains('suite')] }).names).toEqual([
      'contains',
      'rubric',
    ]);
    expect(kinds({ rubrics: ['kind'], evaluators: [contains('own')] }).names).toEqual(['contains', 'rubric']);
    expect(kinds({ rubrics: ['kind'] }).names).toEqual(['rubric']);
  });

  test('the added rubric gets a unique name', () => {
    expect(kinds({ rubrics: ['kind'], evaluators: [{ type: 'rubric', rubrics: ['x'] }] }).names).toEqual([
      'rubric',
      'rubric#2',
    ]);
  });

  test("an error in the suite's evaluators is reported once", () => {
    const { findings } = kinds({ expected_outcome: undefined }, { evaluators: [{ type: 'contians' }] });
    expect(findings).toEqual(['error unknown_evaluator evaluators[0].type']);
  });
});

describe.each(CASE_FORMATS)('lists of evaluators in %s', (format) => {
  const parse = (fields: Record<string, unknown>) => parseCase({ ...COMPLETE, ...fields }, format);
  const names = (fields: Record<string, unknown>) =>
    parse(fields).test?.steps[0]?.assertions.map(({ name }) => name);

  test.each(['evaluators', 'assertions', 'assert'])('the list may be called %s', (name) => {
    expect(parse({ [name]: [contains('x')] }).findings).toEqual([]);
    expect(names({ [name]: [contains('x')] })).toEqual(['contains']);
  });

  test('two names for the list are an error', () => {
    expect(parse({ evaluators: [contains('x')], assert: [contains('y')] }).errors.map(summary)).toEqual([
      'error given_twice assert',
    ]);
    expect(parse({ assertions: [contains('x')], assert: [contains('y')] }).errors.map(summary)).toEqual([
      'error given_twice assert',
    ]);
  });

  test('the second evaluator with the same name becomes name#2', () => {
    expect(
      names({
        evaluators: [
          contains('a'),
          contains('b'),
          contains('c'),
          { type: 'equals', value: 'x', name: 'contains' },
        ],
      }),
    ).toEqual(['contains', 'contains#2', 'contains#3', 'contains#4']);
  });

  test("names are always unique, whatever the author's names", () => {
    expect(
      names({ evaluators: [contains('a'), contains('b'), contains('c', { name: 'contains#2' })] }),
    ).toEqual(['contains', 'contains#3', 'contains#2']);
  });

  test('a case without any evaluator gets the default one', () => {
    expect(names({})).toEqual(['llm_judge']);
    expect(names({ evaluators: [] })).toEqual(['llm_judge']);
    expect(names({ evaluator: 'match' })).toEqual(['match']);
  });

  // Nothing here may load as a test that passes: what does not check must not look checked.
  test.each([
    ['a shorthand that does not exist', [{ contains: 99 }], 'missing_type evaluators[0]'],
    ['a value of the wrong type', [{ type: 'contains', value: 99 }], 'type evaluators[0].value'],
    ['a parameter of another tool', [{ type: 'latency', max_ms: 1 }], 'unknown_field evaluators[0].max_ms'],
    ['a typo in type', [{ type: 'contians', value: 'x' }], 'unknown_evaluator evaluators[0].type'],
    ['a name of Object.prototype', [{ type: 'constructor' }], 'unknown_evaluator evaluators[0].type'],
    [
      'a type that is no text',
      [{ type: { toString: 1, valueOf: 1 } }],
      'unknown_evaluator evaluators[0].type',
    ],
    ['type: null', [{ type: null, value: 'x' }], 'missing_type evaluators[0]'],
    ['the name of an evaluator as a text', ['contains'], 'bare_type evaluators[0]'],
    ['a text of blanks', [' '], 'empty evaluators[0]'],
    ['null', [null], 'type evaluators[0]'],
    ['one wrong among right ones', [contains('x'), { type: 'equals' }], 'missing_value evaluators[1].value'],
    ['an object instead of a list', contains('x'), 'type evaluators'],
    [
      'a memory check without a claim',
      [{ type: 'memory', path: 'a', matches: null }],
      'missing_field evaluators[0]',
    ],
    ['a composite of nothing', [{ type: 'composite', evaluators: [] }], 'empty evaluators[0].evaluators'],
    ['a limit without a number', [{ type: 'token_usage' }], 'missing_field evaluators[0]'],
    ['metrics without one', [{ type: 'execution_metrics' }], 'missing_field evaluators[0]'],
    ['a trajectory without claims', [{ type: 'tool_trajectory' }], 'missing_field evaluators[0]'],
    [
      'a rubric of nothing',
      [{ type: 'rubric', rubrics: [{ expected_outcome: null }] }],
      'missing_expected_outcome evaluators[0].rubrics[0]',
    ],
  ])('%s is an error', (_name, evaluators, finding) => {
    const parsed = parse({ evaluators });
    expect(parsed.errors.map(summary)).toContain(`error ${finding}`);
    expect(parsed.test).toBeUndefined();
  });

  test.each([
    ['contians', 'did you mean `contains`?'],
    ['tool-trajectery', 'did you mean `tool-trajectory`?'],
    ['includes', 'it is called `contains` here'],
  ])('the type %s gets the hint %s', (type, hint) => {
    expect(parse({ evaluators: [{ type }] }).errors[0]!.hint).toBe(hint);
  });

  test('claims in place of evaluators get a hint', () => {
    const { errors } = parse({ assert: { 'output.includes': 'x' } });
    expect(errors).toMatchObject([
      { code: 'type', path: 'assert', hint: expect.stringContaining('under `assert` of a step') },
    ]);
    expect(parse({ rubrics: 'is kind' }).errors[0]!.hint).toBe(
      'a list is written [a, b], or with "- " before each item',
    );
  });

  test('a shorthand gets the hint to write type', () => {
    expect(parse({ evaluators: [{ contains: 'x' }] }).errors[0]!.hint).toBe(
      'write `type: contains`, with its parameters next to it',
    );
  });
});

describe('composite', () => {
  test('may contain composites, each with its own names', () => {
    const inner = { type: 'composite', evaluators: [contains('a'), contains('b')] };
    const { test: read, findings } = parseCase(
      {
        ...COMPLETE,
        evaluators: [
          {
            type: 'composite',
            assertions: [inner, contains('c')],
            aggregator: { type: 'llm_judge', prompt: 'p' },
          },
        ],
      },
      'yaml',
    );
    expect(findings).toEqual([]);
    expect(read?.steps[0]?.assertions).toMatchObject([
      {
        kind: 'composite',
        parameters: {
          evaluators: [
            { kind: 'composite', parameters: { evaluators: [{ name: 'contains' }, { name: 'contains#2' }] } },
            { name: 'contains' },
          ],
        },
      },
    ]);
  });

  test('reports the place of a mistake in a nested evaluator', () => {
    const inner = { type: 'composite', evaluators: [{ type: 'contains' }] };
    expect(
      parseCase(
        { ...COMPLETE, evaluators: [{ type: 'composite', evaluators: [inner] }] },
        'jsonl',
      ).errors.map(summary),
    ).toEqual(['error missing_value evaluators[0].evaluators[0].evaluators[0].value']);
  });

  test('weights may name the second evaluator of a type', () => {
    const aggregator = { type: 'weighted_average', weights: { 'contains#2': 3 } };
    expect(
      parseCase(
        {
          ...COMPLETE,
          evaluators: [{ type: 'composite', evaluators: [contains('a'), contains('b')], aggregator }],
        },
        'jsonl',
      ).findings,
    ).toEqual([]);
  });

  test('script and path are the same parameter', () => {
    for (const name of ['script', 'path']) {
      const aggregator = { type: 'code_judge', [name]: ['node', 'x.js'] };
      expect(
        parseCase(
          { ...COMPLETE, evaluators: [{ type: 'composite', evaluators: [contains('a')], aggregator }] },
          'jsonl',
        ).findings,
      ).toEqual([]);
    }
  });
});

const range = (from: number, to: number) => ({ score_range: [from, to], expected_outcome: 'x' });

const problems = (score_ranges: unknown) =>
  parseCase({ ...COMPLETE, rubrics: [{ score_ranges }] }, 'jsonl').findings.map((finding) =>
    `${finding.path.replace('rubrics[0].score_ranges', '')} ${finding.message}`.trim(),
  );

describe('score_ranges', () => {
  test('cover 0 to 10, in any order', () => {
    expect(problems([range(0, 3), range(4, 10)])).toEqual([]);
    expect(problems([range(8, 10), range(0, 7)])).toEqual([]);
    expect(problems([range(0, 10)])).toEqual([]);
    expect(problems({ 0: 'bad', 5: 'so so', 10: 'good' })).toEqual([]);
  });

  test.each([
    ['a gap', [range(0, 3), range(5, 10)], ['[1].score_range no range covers the scores 4 to 4']],
    ['an overlap', [range(0, 5), range(5, 10)], ['[1].score_range the score 5 is in two ranges']],
    ['a missing start', [range(2, 10)], ['[0].score_range no range covers the scores 0 to 1']],
    ['a missing end', [range(0, 8)], ['no range covers the scores 9 to 10']],
    [
      'every violation',
      [range(1, 3), range(3, 4), range(6, 8)],
      [
        '[0].score_range no range covers the scores 0 to 0',
        '[1].score_range the score 3 is in two ranges',
        '[2].score_range no range covers the scores 5 to 5',
        'no range covers the scores 9 to 10',
      ],
    ],
    [
      'turned round, and too short',
      [range(5, 0), { score_range: [3], expected_outcome: 'x' }],
      [
        '[0].score_range a score range is [from, to], with from not above to',
        '[1].score_range a score range is [from, to], with from not above to',
      ],
    ],
    [
      'above 10',
      [range(0, 11)],
      ['[0].score_range[1] item 2 of `score_range` must be an integer from 0 to 10, but is 11'],
    ],
    ['a map that does not begin at 0', { 5: 'x' }, ['no range starts at 0']],
    ['a map with another key', { 0: 'x', high: 'y' }, ['.high "high" is not a score from 0 to 10']],
    ['an empty list', [], ['must not be an empty list']],
  ])('%s', (_name, ranges, wanted) => {
    const found = problems(ranges);
    expect(found).toHaveLength(wanted.length);
    for (const [index, words] of wanted.entries()) expect(found[index]).toContain(words);
  });
});

test('rubrics of a case keep their place', () => {
  const { suite } = parseSuite({
    path: 'a.yaml',
    text: 'cases:\n  - id: a\n    input: q\n    rubrics:\n      - is kind\n',
  });
  expect(suite?.tests[0]?.steps[0]?.assertions[0]).toMatchObject({
    kind: 'rubric',
    parameters: { rubrics: ['is kind'] },
    place: { line: 5, column: 7 },
  });
});
