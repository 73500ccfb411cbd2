import { expect, test } from 'vitest';
import type { AttemptRecord } from '../model/record.ts';
import { OutcomeLog } from './outcome-log.ts';
import { TextLog } from './text-log.ts';

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
    log.claimFailure(first, 'failed'),
    log.claimFailure(first, 'failed'),
    log.claimFailure(first, 'error'),
  ]).toEqual([true, false, true]);
  const problem = { file: 'a.jsonl', line: 1, column: 1, name: 'contains', message: 'lone \ud83d' };
  log.addFailure(first, 'failed', { problem, problems: [problem], text: '', transcript: '' });
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
  expect(failures).toEqual({ failed: { problem, problems: [problem], text: '', transcript: '' } });
});
