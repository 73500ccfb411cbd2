import { expect, test } from 'vitest';
import * as fc from '../../test/seeded-fast-check.ts';
import type { ResultRow } from '../../src/base/model/page-data.ts';
import { TestRows, type TestRow } from '../run/test-row.ts';
import { toggleRanges, toggleValue } from './edit-query.ts';
import { matchQuery, type MatchContext } from './match-query.ts';
import { parseQuery } from './parse-query.ts';
import { printQuery } from './print-query.ts';
import { scoreBins } from './score-bins.ts';
import { KEYS, type Bound, type RangeTerm, type SearchQuery, type Term, type ValueKey } from './query.ts';

function row(name: string, more: Partial<ResultRow> = {}): TestRow {
  const base = {
    index: 0,
    id: name,
    file: 'tests/a.yaml',
    line: 1,
    test: name,
    tags: [],
    target: 'fast',
    repeat: 1,
  };
  const rows = new TestRows();
  rows.add({ ...base, verdict: 'passed', duration_ms: 100, ...more });
  return rows.list[0]!;
}

function found(text: string, rows: readonly TestRow[], context: MatchContext = {}): readonly string[] {
  const { query, problem } = parseQuery(text);
  if (query === undefined) throw new Error(problem.message);
  return rows.filter(matchQuery(query, context)).map(({ test: name }) => name);
}

const ROWS = [
  row('refund', {
    index: 1,
    verdict: 'failed',
    score: 0.6667,
    cost_usd: 0.02,
    duration_ms: 2500,
    tags: ['billing', 'Slow One'],
    description: 'Gives the MONEY back, café',
    evaluators: [{ name: 'tone', kind: 'llm_judge', score: 0.4, passed: false }],
    metadata_fields: [
      ['team', 'payments'],
      ['owner.name', 'Ada L.'],
    ],
    token_usage: { input: 900, output: 300 },
  }),
  row('greet', { index: 2, score: 1, tags: ['smoke'], target: 'careful', cost_usd: 0, file: 'tests/b.yaml' }),
  row('slow', { index: 3, verdict: 'error', error_kind: 'timeout', duration_ms: 30_000, tags: ['slow'] }),
  row('wobbly', {
    index: 4,
    score: 0.5,
    of_test: { verdict: 'passed', is_flaky: true, passed: 1, failed: 1, score: 0.5, duration_ms: 10 },
    evaluators: [{ name: 'tone', score: 0.9, passed: true }],
  }),
];

test.each([
  ['', 'refund greet slow wobbly'],
  ['verdict:failed', 'refund'],
  ['verdict:failed,error', 'refund slow'],
  ['verdict:flaky', 'wobbly'],
  ['-verdict:passed', 'refund slow'],
  ['flaky:yes', 'wobbly'],
  ['score:<0.7', 'refund wobbly'],
  ['score:0.67', 'refund'],
  ['score:66.67%', 'refund'],
  ['score:0.5..0.7', 'refund wobbly'],
  ['score:>=0.5', 'refund greet wobbly'],
  ['score:>0.5', 'refund greet'],
  ['score:1', 'greet'],
  ['score:none', 'slow'],
  ['-score:<0.7', 'greet slow'],
  ['cost:>0.01', 'refund'],
  ['cost:>$0.01', 'refund'],
  ['cost:0', 'greet'],
  ['cost:none', 'slow wobbly'],
  ['time:>2s', 'refund slow'],
  ['time:>2', 'refund slow'],
  ['time:<500ms', 'greet wobbly'],
  ['time:0.5min..', 'slow'],
  ['tokens:>1k', 'refund'],
  ['evaluator:tone', 'refund wobbly'],
  ['evaluator:llm_judge', 'refund'],
  ['evaluator.tone:<0.5', 'refund'],
  ['evaluator.tone:passed', 'wobbly'],
  ['tag:billing', 'refund'],
  ['tag:"slow one",smoke', 'refund greet'],
  ['-tag:slow', 'refund greet wobbly'],
  ['tag:s*', 'refund greet slow'],
  ['target:careful', 'greet'],
  ['agent:FAST', 'refund slow wobbly'],
  ['error:timeout', 'slow'],
  ['metadata.team:payments', 'refund'],
  ['metadata.owner.name:"ada l."', 'refund'],
  ['metadata."owner.name":Ada*', 'refund'],
  ['file:b.yaml', 'greet'],
  ['file:tests/*', 'refund greet slow wobbly'],
  ['test:*l*', 'slow wobbly'],
  ['money', 'refund'],
  ['"the money"', 'refund'],
  ['"money the"', ''],
  ['CAFE\u0301', 'refund'],
  ['-money', 'greet slow wobbly'],
  ['text:money', 'refund'],
  [
    'verdict:failed score:<0.7 cost:>0.01 time:>2s evaluator:tone tag:billing -tag:slow "money back"',
    'refund',
  ],
])('%s', (text, expected) => {
  expect(found(text, ROWS).join(' ')).toBe(expected);
});

test('text is also found in conversations, and labels by their records', () => {
  const context: MatchContext = {
    found: new Map([['paris', new Set([2])]]),
    labels: new Map([[3, 'wrong']]),
  };
  expect(found('PARIS', ROWS, context)).toEqual(['greet']);
  expect(found('-paris', ROWS, context)).toEqual(['refund', 'slow', 'wobbly']);
  expect(found('label:wrong', ROWS, context)).toEqual(['slow']);
  expect(found('label:none', ROWS, context)).toEqual(['refund', 'greet', 'wobbly']);
});

test.each([
  ['verdit:failed', 'There is no filter "verdit:". Did you mean "verdict:"?', 'verdit:'],
  ['a scroe:1', 'There is no filter "scroe:". Did you mean "score:"?', 'scroe:'],
  ['http://x.example', 'There is no filter "http:". To search for this text, put it in quotes.', 'http:'],
  ['verdict:faild', 'There is no verdict "faild". Did you mean "failed"?', 'faild'],
  [
    'verdict:x',
    'There is no verdict "x". It is one of failed, error, flaky, passed, skipped, not_graded.',
    'x',
  ],
  ['score:high', 'This is not a range of score: write score:<0.7 or score:0.5..0.8.', 'high'],
  ['score:0.8..0.2', 'This is not a range of score: write score:<0.7 or score:0.5..0.8.', '0.8..0.2'],
  ['time:>2kg', 'This is not a range of time: write time:>2s or time:500ms..2s.', '>2kg'],
  ['say "hello', 'This quote is not closed.', '"hello'],
  ['"a"b', 'Put a space after the closing quote.', 'b'],
  ['tag:', 'A value is missing after this.', ':'],
  ['tag:a,', 'A value is missing after this.', ':a,'],
  ['metadata:x', 'Name the field: metadata.FIELD:value', 'metadata:'],
  ['tag.x:y', '"tag" has no fields: write tag:', 'tag.x:'],
])('%s is not a query', (text, message, part) => {
  const { problem } = parseQuery(text);
  expect(problem?.message).toBe(message);
  expect(text.slice(problem?.start, problem?.end)).toBe(part);
});

const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
  .filter((text) => text.trim() === text);
const amount = fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => Number(value.toFixed(3)));
const negated = fc.boolean();

const textTerm = fc.record({ kind: fc.constant('text' as const), isNegated: negated, text: word });
const openKeys = (Object.keys(KEYS) as (keyof typeof KEYS)[]).filter(
  (key): key is ValueKey =>
    !['score', 'cost', 'time', 'tokens', 'text', 'verdict', 'flaky', 'label', 'metadata'].includes(key),
);
const valuesTerm = fc.record({
  kind: fc.constant('values' as const),
  isNegated: negated,
  key: fc.constantFrom(...openKeys),
  values: fc.array(word, { minLength: 1, maxLength: 3 }),
});
const metadataTerm = fc.record({
  kind: fc.constant('values' as const),
  isNegated: negated,
  key: fc.constant('metadata' as const),
  path: word,
  values: fc.array(word, { minLength: 1, maxLength: 3 }),
});
const rangeTerm = fc
  .tuple(negated, fc.constantFrom('score', 'cost', 'time', 'tokens'), amount, amount, fc.boolean(), fc.nat(3))
  .map(([isNegated, key, a, b, isOpen, shape]): RangeTerm => {
    const closed = (value: number): Bound => ({ value, isOpen: false });
    const term = { kind: 'range', isNegated, key: key as RangeTerm['key'] } as const;
    if (shape === 0) return { ...term, low: { value: a, isOpen } };
    if (shape === 1) return { ...term, high: { value: a, isOpen } };
    const [low, high] = [Math.floor(Math.min(a, b)), Math.ceil(Math.max(a, b))];
    return { ...term, low: closed(low), high: closed(high) };
  });
const anyQuery: fc.Arbitrary<SearchQuery> = fc.record({
  terms: fc.array(fc.oneof<fc.Arbitrary<Term>[]>(textTerm, valuesTerm, metadataTerm, rangeTerm), {
    maxLength: 5,
  }),
});

test('a printed query is read back as the same query', () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      expect(parseQuery(printQuery(query))).toEqual({ query });
    }),
  );
});

test('any text is a query or a problem with a place, and printing and reading a query changes nothing', () => {
  const pieces = fc.constantFrom(
    '-',
    '"',
    ':',
    '.',
    '..',
    '<',
    '>',
    ',',
    ' ',
    '\\',
    'score',
    'tag',
    'metadata',
    '0.7',
    's',
    'é',
    '*',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(pieces).map((all) => all.join('')),
      ),
      (text) => {
        const { query, problem } = parseQuery(text);
        if (query === undefined) {
          expect(problem.start).toBeGreaterThanOrEqual(0);
          expect(problem.end).toBeGreaterThan(problem.start);
          expect(problem.end).toBeLessThanOrEqual(text.length);
        } else expect(parseQuery(printQuery(query))).toEqual({ query });
      },
    ),
  );
});

test('a number that is too large is a problem, and unusual numbers are printed as they are read', () => {
  for (const text of ['time:1e308h', 'tokens:<1e306m', 'cost:1e999', 'score:-1', 'score:5.', 'score:0x1'])
    expect(parseQuery(text).problem, text).toBeDefined();
  for (const text of [
    'time:1e-9ms',
    'score:.5',
    'score:007',
    'score:0.50%',
    'cost:$1e-7',
    'tokens:1e3k..',
    'time:1.5',
  ]) {
    const { query } = parseQuery(text);
    expect(parseQuery(printQuery(query!)).query, text).toEqual(query);
  }
});

test('a negated query finds exactly the other tests', () => {
  fc.assert(
    fc.property(
      anyQuery.filter(({ terms }) => terms.length === 1),
      ({ terms }) => {
        const [term] = terms;
        const finds = matchQuery({ terms: [{ ...term!, isNegated: false }] });
        const others = matchQuery({ terms: [{ ...term!, isNegated: true }] });
        for (const one of ROWS) expect(finds(one)).toBe(!others(one));
      },
    ),
  );
});

test('buttons and charts edit their part of the query and keep the rest', () => {
  const { query } = parseQuery('money -tag:slow verdict:error score:<0.5');
  const both = toggleValue(query!, 'verdict', 'failed');
  expect(printQuery(both)).toBe('money -tag:slow verdict:error,failed score:<0.5');
  expect(printQuery(toggleValue(both, 'tag', 'a b'))).toBe(
    'money -tag:slow verdict:error,failed score:<0.5 tag:"a b"',
  );
  expect(printQuery(toggleValue(query!, 'verdict', 'error'))).toBe('money -tag:slow score:<0.5');
  const ranges = [{ low: { value: 0.5, isOpen: false } }, { high: { value: 0.6, isOpen: true } }];
  const ranged = toggleRanges(query!, 'score', ranges);
  expect(printQuery(ranged)).toBe('money -tag:slow verdict:error score:>=0.5 score:<0.6');
  expect(printQuery(toggleRanges(ranged, 'score', ranges))).toBe('money -tag:slow verdict:error');
});

test('a bar of the histogram finds as many tests as it shows', () => {
  const scores = fc.array(
    fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(100).map((n) => n / 100),
    ),
    {
      minLength: 1,
    },
  );
  fc.assert(
    fc.property(scores, (all) => {
      const rows = all.map((score, index) => row(`t${index}`, { score }));
      for (const { ranges, all: count, shown } of scoreBins(rows, rows) ?? []) {
        const { query } = parseQuery(printQuery(toggleRanges({ terms: [] }, 'score', ranges)));
        expect([rows.filter(matchQuery(query!)).length, shown]).toEqual([count, count]);
      }
    }),
  );
  expect(scoreBins([row('a', { score: 0 }), row('b', { score: 1 }), row('c')], [])).toBeUndefined();
});
