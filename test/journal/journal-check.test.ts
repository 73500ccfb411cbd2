import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { JournalCheck, type JournalClaims } from '../../src/runs/journal/journal-check.ts';
import type { JournalSeal } from '../../src/runs/journal/journal-seal.ts';
import { JournalWriter } from '../../src/runs/journal/journal-writer.ts';
import type { Verdict } from '../../src/base/model/record.ts';
import type { Summary } from '../../src/base/model/summary.ts';
import { attemptRecord } from '../attempt-record.ts';

/** The lines of a journal with these records, and its seal. */
function written(...records: readonly (string | readonly [string, Verdict])[]) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-check-'));
  const path = join(folder, 'results.jsonl');
  const writer = new JournalWriter(path, {
    runId: 'r',
    onError: (error) => expect.unreachable(error.message),
  });
  for (const each of records) {
    const [name, verdict] = typeof each === 'string' ? ([each, 'passed'] as const) : each;
    writer.append(attemptRecord({ test: name, verdict }));
  }
  writer.close();
  const { seal } = writer;
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return { lines: bytes.toString().trimEnd().split('\n'), seal, bytes: bytes.length };
}

const idOf = (name: string): string => `a.test.yaml::${name}::agent::1`;

/** What a check says of lines: line, test and message. */
function damage(lines: readonly string[], claims: JournalClaims = {}, size?: number) {
  const check = new JournalCheck('j');
  for (const line of lines) check.add(Buffer.from(line));
  const bytes = size ?? Buffer.byteLength(lines.map((line) => `${line}\n`).join(''));
  return check.end(bytes, claims).map(({ file, line, id, message }) => {
    expect(file).toBe('j');
    return [line, id?.split('::')[1], message] as const;
  });
}

const about = (text: RegExp): string => expect.stringMatching(text) as string;

/** Records that the run wrote in other bytes: the seal cannot be met, and its ids decide. */
const unlike = (seal: JournalSeal, more: Partial<JournalSeal> = {}): JournalSeal => ({
  ...seal,
  crc32: '00000000',
  ...more,
});

test('a journal is intact if it matches its seal, or has no seal and every line is intact', () => {
  const { lines, seal } = written('a', 'b');
  expect(damage(lines, { seal, runId: 'r' })).toEqual([]);
  expect(damage(lines)).toEqual([]);
  expect(damage(lines, { runId: 'r' })).toEqual([]);
});

describe('every line is checked', () => {
  const { lines } = written('a', 'b');
  const [header, a, b] = lines as [string, string, string];

  test('a damaged record is named, if its id can be read', () => {
    expect(damage([header, a.replace('"verdict":"passed"', '"verdict":"failed"'), b])).toEqual([
      [2, 'a', about(/record of \S*a\S* is damaged/)],
    ]);
    expect(damage([header, 'x', b])).toEqual([[2, undefined, about(/^a record is damaged$/)]]);
    expect(damage([header, String.raw`{"id":"\q"}`])).toEqual([
      [2, undefined, about(/^a record is damaged$/)],
    ]);
    expect(damage([header, String.raw`{"id":"f::\"q\"::x::1"}`])).toEqual([[2, '"q"', about(/is damaged$/)]]);
  });

  test('a header may only be the first line', () => {
    expect(damage([a, b])).toEqual([[1, undefined, about(/header is damaged or missing/)]]);
    expect(damage([header.replace('"r"', '"s"'), a])).toEqual([
      [1, undefined, about(/header is damaged or missing/)],
    ]);
    expect(damage([header, a, header])).toEqual([[3, undefined, about(/second header/)]]);
    expect(damage([header, a], { runId: 'other' })).toEqual([[1, undefined, about(/of another run, r$/)]]);
  });

  test('a duplicate line is named; another record of the same attempt is not', () => {
    expect(damage([header, a, b, a])).toEqual([[4, 'a', about(/twice/)]]);
    expect(damage(written('a', ['a', 'failed']).lines)).toEqual([]);
  });
});

describe('a journal that does not match its seal', () => {
  const { lines, seal, bytes } = written('a', 'b', 'c');
  const [header, a, b, c] = lines as [string, string, string, string];

  test('lacks a record', () => {
    expect(damage([header, a, c], { seal })).toEqual([[undefined, 'b', about(/b\S* is missing/)]]);
  });

  test('has a record that the run did not write', () => {
    const { lines: other } = written('d');
    expect(damage([header, a, b, c, other[1]!], { seal })).toEqual([[5, 'd', about(/did not write/)]]);
    expect(damage([header, a, b, c], { seal: unlike(seal, { ids: [idOf('a'), idOf('b')] }) })).toEqual([
      [4, 'c', about(/did not write/)],
    ]);
  });

  test('has records in another order: the first is named', () => {
    expect(damage([header, b, a, c], { seal })).toEqual([[2, 'b', about(/b\S* has moved/)]]);
    expect(damage([header, a, c, b], { seal })).toEqual([[3, 'c', about(/c\S* has moved/)]]);
  });

  test('a damaged record is reported once', () => {
    expect(damage([header, a, b.replace('"passed"', '"failed"'), c], { seal })).toEqual([
      [3, 'b', about(/damaged/)],
    ]);
  });

  test('has another number of records, if the seal does not list them', () => {
    const { ids: _, ...counted } = seal;
    expect(damage([header, a, b], { seal: counted })).toEqual([
      [undefined, undefined, about(/ 2 whole records, .* 3 records/)],
    ]);
    expect(damage([header, a], { seal: { ...counted, records: 1000 } })).toEqual([
      [undefined, undefined, about(/ 1 whole record, .* 1,000 records/)],
    ]);
  });

  test('has other bytes even though every line is intact', () => {
    expect(damage(lines, { seal }, bytes + 7)).toEqual([
      [
        undefined,
        undefined,
        about(new RegExp(`has ${bytes + 7} bytes, .* ${bytes} bytes$`.replaceAll(/(\d)(\d{3})/g, '$1,$2'))),
      ],
    ]);
    expect(damage(lines, { seal: unlike(seal) })).toEqual([
      [undefined, undefined, about(/different bytes$/)],
    ]);
  });
});

describe('a journal without a seal is compared with the summary', () => {
  /** Of a version that wrote no checksums. */
  const old = (...records: readonly (readonly [string, Verdict])[]): readonly string[] => [
    JSON.stringify({ assay_journal: 1, run_id: 'r' }),
    ...records.map(([name, verdict]) => JSON.stringify(attemptRecord({ test: name, verdict }))),
  ];
  const summary = (counts: Partial<Summary>): Summary =>
    ({
      tests: 2,
      attempts: 2,
      passed: 1,
      failed: 1,
      error: 0,
      skipped: 0,
      undecided: 0,
      ...counts,
    }) as Summary;

  test('accepts equal counts, more records than counted, and counts of tests', () => {
    const lines = old(['a', 'passed'], ['b', 'failed']);
    expect(damage(lines, { summary: summary({}) })).toEqual([]);
    expect(damage(lines, { summary: summary({ tests: 1, attempts: 1, failed: 0 }) })).toEqual([]);
    expect(damage(lines, { summary: summary({ tests: 1, failed: 0 }) })).toEqual([]);
    expect(damage(lines, { summary: summary({ error: 1, failed: 0, undecided: 1 }) })).toEqual([]);
    expect(damage(old(['a', 'error'], ['a', 'passed'], ['b', 'failed']), { summary: summary({}) })).toEqual(
      [],
    );
  });

  test('reports missing records and other verdicts', () => {
    const lines = old(['a', 'passed'], ['b', 'failed']);
    expect(damage(lines, { summary: summary({ tests: 5, attempts: 5 }) })).toEqual([
      [undefined, undefined, about(/ 2 attempts, .* counts 5: 3 are missing/)],
    ]);
    expect(damage(lines, { summary: summary({ tests: 3, attempts: 3 }) })).toHaveLength(1);
    expect(damage(lines, { summary: summary({ passed: 2, failed: 0 }) })).toEqual([
      [undefined, undefined, about(/^1 of its records say passed, .* counts 2$/)],
      [undefined, undefined, about(/^1 of its records say failed, .* counts 0$/)],
    ]);
  });

  test('reports a removed seal if the lines have checksums', () => {
    expect(damage(written('a', ['b', 'failed']).lines, { summary: summary({}) })).toEqual([
      [undefined, undefined, about(/does not say what was written/)],
    ]);
  });
});
