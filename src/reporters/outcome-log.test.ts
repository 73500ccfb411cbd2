import { expect, test } from 'vitest';
import type { AttemptRecord } from '../model/record.ts';
import { OutcomeLog } from './outcome-log.ts';
import { inFileOrder } from '../model/record-order.ts';
import { TextLog } from './text-log.ts';
import { TextSpool } from './text-spool.ts';

test('texts come back as they were, short and long', () => {
  const texts = [
    '',
    'é😀',
    'x'.repeat(3_000_000),
    JSON.stringify('\ud83d'),
    ...Array.from({ length: 5000 }, (_, n) => `${n} `.repeat(200)),
  ];
  const log = new TextLog();
  for (const [index, text] of texts.entries()) expect(log.add(text)).toBe(index);
  for (const [index, text] of texts.entries()) expect(log.at(index) === text).toBe(true);
});

const base = { file: 'a.jsonl', line: 1, column: 1, retries: 0, duration_ms: 0.5, started_at: '2026-01-01' };
const record = (fields: Partial<AttemptRecord>) => ({ ...base, ...fields }) as AttemptRecord;

test('attempts of a test come together, whatever comes between them', () => {
  const log = new OutcomeLog();
  const first = log.add(
    record({ test: 'x', target: 't', repeat: 1, verdict: 'failed', score: 0.25, skip_reason: '' }),
  );
  const other = log.add(record({ test: 'x', target: 'u', repeat: 1, verdict: 'passed', file: 'b.jsonl' }));
  expect(
    log.add(record({ test: 'x', target: 't', repeat: 2, verdict: 'passed', cost_usd: 0, line: 9 })),
  ).toBe(first);
  expect([
    log.claimFailure(first, { verdict: 'failed', repeat: 2 }),
    log.claimFailure(first, { verdict: 'failed', repeat: 3 }),
    log.claimFailure(first, { verdict: 'failed', repeat: 1 }),
    log.claimFailure(first, { verdict: 'error', repeat: 5 }),
  ]).toEqual([true, false, true, true]);
  const problem = { file: 'a.jsonl', line: 1, column: 1, name: 'contains', message: 'lone \ud83d' };
  const failure = { problem, problems: [problem], cause: 'c', text: '', transcript: '' };
  // An earlier repeat came in the meantime.
  log.addFailure(first, { verdict: 'failed', repeat: 2 }, { ...failure, text: 'of the second repeat' });
  log.addFailure(first, { verdict: 'failed', repeat: 1 }, failure);
  expect([...log.byFile()]).toEqual([
    ['a.jsonl', [first]],
    ['b.jsonl', [other]],
  ]);
  const { attempts, failures, first: said } = log.read(first);
  expect(said).toEqual({
    file: 'a.jsonl',
    line: 1,
    column: 1,
    test: 'x',
    target: 't',
    skip_reason: '',
    started_at: '2026-01-01',
    pass_at_least: undefined,
  });
  expect(attempts).toEqual([
    { repeat: 1, verdict: 'failed', score: 0.25, retries: 0, duration_ms: 0.5, cost_usd: undefined },
    { repeat: 2, verdict: 'passed', score: undefined, retries: 0, duration_ms: 0.5, cost_usd: 0 },
  ]);
  expect(failures).toEqual({ failed: failure });
});

test('tests come in the order of the files, whatever ends first', () => {
  const records = [
    record({ test: 'one', file: 'a.jsonl', line: 1 }),
    record({ test: 'row 2', file: 'a.jsonl', line: 4, row: { file: 'r.csv', line: 2, column: 1 } }),
    record({ test: 'row 10', file: 'a.jsonl', line: 4, row: { file: 'r.csv', line: 10, column: 1 } }),
    record({ test: 'row 1', file: 'a.jsonl', line: 4, row: { file: 's.csv', line: 1, column: 1 } }),
    record({ test: 'ten', file: 'a.jsonl', line: 10, target: 'alpha' }),
    record({ test: 'ten', file: 'a.jsonl', line: 10, target: 'beta' }),
    record({ test: 'x', file: 'b.jsonl', line: 1 }),
  ].map((one) => ({ ...one, target: one.target ?? 't', repeat: 1, verdict: 'passed' as const }));
  for (const order of [records, records.toReversed(), records.toSorted((a, b) => a.line - b.line)]) {
    const log = new OutcomeLog();
    for (const one of order) log.add(one);
    const names = [...log.byFile()].map(([file, tests]) => [
      file,
      ...tests.map((number) => log.read(number).first).map(({ test: name, target }) => `${name} ${target}`),
    ]);
    expect(names).toEqual([
      ['a.jsonl', 'one t', 'row 2 t', 'row 10 t', 'row 1 t', 'ten alpha', 'ten beta'],
      ['b.jsonl', 'x t'],
    ]);
    expect(order.toSorted(inFileOrder)).toEqual(records);
  }
});

test('a spool returns gigabytes as they were written, from memory and from its file', () => {
  const spool = new TextSpool();
  const text = (number: number): string => `${number} é😀 ${'x'.repeat(number % 7 === 0 ? 400_000 : 1000)}`;
  for (let number = 0; number < 900; number++) spool.add(text(number));
  for (const number of [899, 0, 450, 7, 1, 898]) expect(spool.at(number) === text(number)).toBe(true);
  spool.add('last');
  expect(spool.at(900)).toBe('last');
  spool.close();
});
