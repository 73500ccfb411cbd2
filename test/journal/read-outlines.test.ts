import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from '../seeded-fast-check.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readJournal } from '../../src/runs/journal/journal-reader.ts';
import { JournalVersionError } from '../../src/runs/journal/line-opener.ts';
import { readOutlines } from '../../src/runs/journal/read-outlines.ts';

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-outlines-'));
  path = join(folder, 'results.jsonl');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What every record has. */
const NAMES = { file: 'a', test: 't', target: 'x', fingerprint: 'f', started_at: '' };
const ENDING = JSON.stringify({ ...NAMES, duration_ms: 1 }).slice(1);
const HEADER = '{"assay_journal":1,"run_id":"r"}\n';
/** Texts and keys that look like the seams of a record. */
const word = fc.oneof(
  fc.constantFrom(
    'steps',
    'retries',
    ',"steps":[',
    '],"retries":',
    '],"retries":0,"duration_ms":1}',
    '"',
    '\\',
    '\n',
  ),
  fc.string(),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    word,
    fc.integer(),
    fc.array(tie('value')),
    fc.dictionary(word, tie('value')),
  ),
}));
const record = fc
  .record({
    id: word,
    description: word,
    tags: fc.array(word),
    steps: fc.array(value),
    assertions: fc.array(value),
  })
  .map(({ steps, assertions, ...head }) => ({
    ...head,
    ...NAMES,
    verdict: 'passed',
    steps,
    assertions,
    retries: 0,
    duration_ms: 12.5,
  }));

function outlines(text: string): unknown[] {
  writeFileSync(path, HEADER + text);
  return [...readOutlines(path)].map((outline) => ({ ...outline, steps: undefined, assertions: undefined }));
}

test('gives the same as reading whole records, whatever their steps contain', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 5 }), (records) => {
      const read = outlines(records.map((one) => `${JSON.stringify(one)}\n`).join(''));
      const whole = [...readJournal(path)].map((entry) => entry.record);
      expect(whole).toHaveLength(records.length);
      expect(read).toEqual(whole.map((one) => ({ ...one, steps: undefined, assertions: undefined })));
    }),
    { numRuns: 300 },
  );
});

test('fields in another order are read', () => {
  const line = `{"retries":1,"steps":[{"retries":[],"x":[1],"retries":2}],"assertions":[],"verdict":"failed","id":"a",${ENDING}\n`;
  expect(outlines(line)).toEqual([
    {
      ...NAMES,
      duration_ms: 1,
      id: 'a',
      verdict: 'failed',
      retries: 1,
      steps: undefined,
      assertions: undefined,
    },
  ]);
});

test('incomplete lines, broken lines and lines that are not records are ignored', () => {
  const whole = `{"id":"a","verdict":"passed","steps":[],"assertions":[],"retries":0,${ENDING}\n`;
  expect(outlines(`${whole}{"id":"b","verdict\n5\nnull\n${whole}{"id":"c","verdict":"passed"`)).toHaveLength(
    2,
  );
});

test('a line longer than the read buffer is one record', () => {
  const steps = ['x'.repeat(5_000_000)];
  const long = { id: 'long', ...NAMES, verdict: 'passed', steps, assertions: [], retries: 0, duration_ms: 1 };
  const short = { ...long, id: 'short', steps: [] };
  const text = [short, long, short].map((one) => `${JSON.stringify(one)}\n`).join('');
  expect(outlines(text)).toMatchObject([{ id: 'short' }, { id: 'long' }, { id: 'short' }]);
  expect([...readJournal(path)].map(({ offset, length }) => [offset, length])).toEqual([
    [HEADER.length, JSON.stringify(short).length],
    [HEADER.length + JSON.stringify(short).length + 1, JSON.stringify(long).length],
    [
      HEADER.length + JSON.stringify(short).length + JSON.stringify(long).length + 2,
      JSON.stringify(short).length,
    ],
  ]);
});

test('a journal of another version is refused', () => {
  writeFileSync(path, '{"assay_journal":9,"run_id":"r"}\n');
  expect(() => [...readOutlines(path)]).toThrow(JournalVersionError);
});
