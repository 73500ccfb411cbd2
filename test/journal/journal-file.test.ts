import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readJournal } from '../../src/runs/journal/journal-reader.ts';
import { JournalVersionError } from '../../src/runs/journal/line-opener.ts';
import { RecordFile } from '../../src/runs/journal/record-file.ts';
import { JournalWriter } from '../../src/runs/journal/journal-writer.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-journal-'));
  path = join(folder, 'results.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

function record(id: string, output = 'ok'): AttemptRecord {
  const step = {
    line: 1,
    input: 'hi',
    input_messages: [],
    memory_before: {},
    output,
    assertions: [],
    duration_ms: 1,
  };
  const base = {
    file: 'a.test.yaml',
    line: 1,
    column: 1,
    test: id,
    tags: [],
    target: 'agent',
    repeat: 1,
    fingerprint: 'f',
    verdict: 'passed',
    score: 1,
  } as const;
  return {
    id,
    ...base,
    steps: [step],
    assertions: [],
    retries: 0,
    started_at: '2026-01-01T00:00:00.000Z',
    duration_ms: 1,
  };
}

function write(...records: readonly AttemptRecord[]): void {
  const writer = new JournalWriter(path, {
    runId: 'r',
    onError: (error) => expect.unreachable(error.message),
  });
  for (const each of records) writer.append(each);
  writer.close();
}

const ids = (): readonly string[] => [...readJournal(path)].map(({ record: { id } }) => id);

test('a journal cut at any byte of its last 2 kB gives every complete record before the cut', () => {
  write(...Array.from({ length: 12 }, (_, index) => record(`attempt-${index}`, 'é😀'.repeat(20))));
  const whole = readFileSync(path);
  for (let length = whole.length; length > whole.length - 2048; length--) {
    writeFileSync(path, whole.subarray(0, length));
    const lines = whole.subarray(0, length).toString('latin1').split('\n').length - 1;
    expect(ids()).toHaveLength(lines - 1);
  }
});

test('an incomplete line is cut off before more is appended', () => {
  write(record('one'), record('two'));
  appendFileSync(path, '{"id":"torn","verdict":"pas');
  write(record('three'));
  expect(ids()).toEqual(['one', 'two', 'three']);
  expect(readFileSync(path, 'utf8')).not.toContain('torn');
});

test('a damaged line costs only its own record', () => {
  write(record('one'), record('two'), record('three'));
  writeFileSync(path, readFileSync(path, 'utf8').replace('"two"', '"tw\u0000'));
  expect(ids()).toEqual(['one', 'three']);
});

test('a record can be read by its offset, with exact integers beyond 2^53', () => {
  write(record('one'), {
    ...record('two'),
    steps: [{ ...record('two').steps[0]!, memory: { big: 123456789012345678901234567890n } }],
  });
  const entry = [...readJournal(path)][1]!;
  const file = new RecordFile(path);
  expect(file.recordAt(entry).steps[0]!.memory).toEqual({ big: 123456789012345678901234567890n });
});

test('records of any length are found by their offsets in any order', () => {
  const lengths = [0, 200_000, 10, 65_536, 5, 0, 130_000, 70_000, 1];
  write(...lengths.map((length, index) => record(`r${index} ${'x'.repeat(length)}`)));
  const entries = [...readJournal(path)];
  const file = new RecordFile(path);
  for (const order of [entries, entries.toReversed(), [...entries.slice(4), ...entries.slice(0, 6)]])
    for (const entry of order) expect(file.recordAt(entry).id).toBe(entry.record.id);
});

test('multi-byte texts are read back unchanged, at every length around the buffer size', () => {
  const lengths = [43_000, 43_600, 43_690, 43_700, 60_000, 65_536, 131_000, 131_072, 1];
  const texts = lengths.flatMap((length) => [
    '漢'.repeat(length),
    '😀'.repeat(length / 2),
    'é'.repeat(length),
  ]);
  write(...texts.map((text, index) => record(`r${index}`, text)));
  expect([...readJournal(path)].map((entry) => entry.record.steps[0]!.output)).toEqual(texts);
});

test('a journal of another version is refused, not misread', () => {
  writeFileSync(path, '{"assay_journal":99,"run_id":"x"}\n');
  expect(() => ids()).toThrow(JournalVersionError);
});
