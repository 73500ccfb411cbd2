import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { attemptRecord, stepRecord } from '../../../test/attempt-record.ts';
import * as fc from '../../../test/seeded-fast-check.ts';
import { RunDirectory } from '../../runs/journal/run-directory.ts';
import { foldText } from '../../base/model/fold-text.ts';
import type { Json } from '../../base/model/json.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { foldRecord } from '../../base/model/search-text.ts';
import { FoldedTexts } from './folded-texts.ts';
import { JournalIndex } from './journal-index.ts';
import { mayContain, rawWord } from './raw-word.ts';
import { RunSearch } from './run-search.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-search-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { signal } = new AbortController();
function writtenRun(records: readonly AttemptRecord[]): RunDirectory {
  const run = new RunDirectory(mkdtempSync(join(folder, 'run-')));
  const journal = run.openJournal({
    onError: (error) => {
      throw error;
    },
  });
  for (const record of records) journal.append(record);
  journal.close();
  return run;
}

/** Nothing but a comparison with every text. */
function plainSearch(records: readonly AttemptRecord[], word: string): readonly number[] {
  return records.flatMap((record, index) => (foldRecord(record).includes(foldText(word)) ? [index] : []));
}

/** What is escaped, changes its length or becomes another character on the way, and their neighbours. */
const PIECES = [
  ['a', 'K', 'k', '\u212A', 'i', 'I', 'İ', 'ı', 'S', 's', 'ſ', 'ß', 'Σ', 'ς', 'x', 'ﬁ', 'Å', '\u212B'],
  [
    'é',
    'e\u0301',
    'E',
    '\u0301',
    '한',
    '\u1112\u1161',
    '東',
    '\uF900',
    '豈',
    '😀',
    '\ud83d',
    '\ude00',
    '\uFFFD',
  ],
  [' ', '  ', '\n', '\t', '\u00a0', '\u2003', '\u2028', '\u0000', '\u0001', '\u001b[', '\u007f'],
  [
    '"',
    '\\',
    '\\n',
    '\\u0041',
    '/',
    ';',
    '\u037E',
    '`',
    '\u1FEF',
    '<',
    '\u0338',
    '>',
    '&',
    '.',
    '*',
    '$',
    '(',
    '[',
    ']',
    '{',
    '}',
    '^',
    '|',
    '-',
    '+',
    ',',
    ':',
  ],
  ['0', '1', '42', '1e21', '1e+21', '1e-7', 'true', 'null', 'Infinity'],
].flat();
const text = fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 8 });
const value = fc.oneof(
  text,
  fc.constantFrom<Json>(
    null,
    true,
    0,
    -0,
    1.5,
    1e21,
    1e-7,
    0.1 + 0.2,
    -42,
    12_345_678_901_234_567_890n as never,
    [],
    {},
  ),
);
const nested = fc.oneof(
  value,
  fc.array(value, { maxLength: 3 }),
  fc.dictionary(
    text.filter((key) => key !== '__proto__'),
    fc.oneof(value, fc.array(value, { maxLength: 2 })),
    { maxKeys: 2 },
  ),
);
const record = fc
  .record({
    test: fc.constantFrom('a', 'b', 'c'),
    input: text,
    said: text,
    output: text,
    given: nested,
    result: nested,
    memory: text,
  })
  .map(({ test: name, input, said, output, given, result, memory }) =>
    attemptRecord({
      test: name,
      steps: [
        stepRecord({
          input,
          input_messages: [
            { role: 'user', content: [{ type: 'text', text: said }, { type: 'image' }] as never },
          ],
          output,
          tool_calls: [{ tool: 'look_up', input: given as Json, output: result as Json }],
          memory: { note: memory },
        }),
      ],
    }),
  );
/** Mostly a part of something that is there, in another case. */
const query = fc.tuple(fc.nat(), fc.nat({ max: 6 }), fc.boolean(), text);

function wordOf(
  records: readonly AttemptRecord[],
  [at, length, isPart, other]: [number, number, boolean, string],
): string {
  const all = records.map(foldRecord).join('');
  if (!isPart || all === '') return other;
  const word = all.slice(at % all.length, (at % all.length) + length + 1);
  return at % 2 === 0 ? word : word.toUpperCase();
}

test('a search finds what a comparison with every text finds: before it is prepared, after it, and in between', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 6 }),
      fc.array(query, { minLength: 1, maxLength: 8 }),
      async (records, queries) => {
        const run = writtenRun(records);
        const words = queries.map((one) => wordOf(records, one));
        const expected = words.map((word) => plainSearch(records, word));
        const search = new RunSearch(run, new JournalIndex(run));
        expect(await search.find(words, signal)).toEqual(expected);
        for (const [at, word] of words.entries())
          expect(await search.find([word], signal)).toEqual([expected[at]]);
        await search.prepare();
        expect(search.weight).toBeGreaterThan(0);
        expect(await search.find(words, signal)).toEqual(expected);
        // The run goes on.
        const journal = run.openJournal({ onError: () => {} });
        for (const again of records) journal.append({ ...again, repeat: 2, id: `${again.id}2` });
        journal.close();
        const both = [...records, ...records];
        expect(await search.find(words, signal)).toEqual(words.map((word) => plainSearch(both, word)));
      },
    ),
    { numRuns: 80 },
  );
});

test('searches that start while the texts are read miss nothing', async () => {
  const records = Array.from({ length: 30 }, (_, index) =>
    attemptRecord({
      test: `t${index}`,
      steps: [stepRecord({ output: `needle ${'x'.repeat(100_000)}` })],
    }),
  );
  const run = writtenRun(records);
  const search = new RunSearch(run, new JournalIndex(run));
  const prepared = search.prepare().then(() => true);
  const found: Promise<readonly (readonly number[])[]>[] = [];
  // Each starts while others are under way.
  for (let turn = 0; turn < 12; turn++) {
    found.push(search.find(['needle'], signal));
    await nextTurn();
  }
  const expected = plainSearch(records, 'needle');
  for (const one of await Promise.all(found)) expect(one).toEqual([expected]);
  expect(await prepared).toBe(true);
  expect(await search.find(['needle'], signal)).toEqual([expected]);
});

test('only a few characters become ASCII, and each is accounted for', () => {
  const known = new Set(['\u212A', '\u0130', '\u037E', '\u1FEF']);
  for (let code = 0x80; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (known.has(character) || /\s/.test(character)) continue;
    if (/[\u0021-\u007e]/.test(foldText(character))) expect.fail(`U+${code.toString(16)}`);
  }
  const mayHold = (word: string, line: string): boolean =>
    mayContain(rawWord(foldText(word)), Buffer.from(line).toString('latin1'), [0]).has(0);
  for (const character of known)
    for (const word of [foldText(character), `a${foldText(character)}b`, foldText(`x ${character}`)])
      expect(mayHold(word, `x a${character}b`)).toBe(true);
  expect(mayHold('kilo', 'a MEGA')).toBe(false);
});

test('most lines are not parsed for a word that is in few of them', () => {
  const lines = Array.from({ length: 100 }, (_, index) =>
    JSON.stringify({ output: `Case ${index} of the run` }),
  );
  const starts: number[] = [];
  let bytes = '';
  for (const line of lines) {
    starts.push(bytes.length);
    bytes += `${line}\n`;
  }
  const linesOf = (word: string): readonly number[] => [...mayContain(rawWord(word), bytes, starts)];
  expect(linesOf('case 77 of')).toEqual([77]);
  expect(linesOf('77')).toEqual([77]);
  expect(linesOf('the run')).toHaveLength(100);
  expect(linesOf('nowhere')).toEqual([]);
  expect(linesOf('東')).toHaveLength(100);
});

test('a journal that somebody else wrote may spell texts in any way', async () => {
  const run = new RunDirectory(mkdtempSync(join(folder, 'other-')));
  const step = '"line":1,"input_messages":[],"memory_before":{},"assertions":[],"duration_ms":1';
  const rest =
    '"file":"f","line":1,"column":1,"tags":[],"target":"t","repeat":1,"fingerprint":"f","verdict":"passed","assertions":[],"retries":0,"started_at":"2026","duration_ms":1';
  const line = (index: number, call: string): string =>
    `{"id":"${index}","test":"t${index}",${rest},"steps":[{${step},"input":"q","tool_calls":[{"tool":"x","input":${call}}]}]}\n`;
  writeFileSync(run.journalPath, '{"assay_journal":1,"run_id":"x"}\n');
  for (const [index, call] of [
    '"\\u0048ello"',
    '1E3',
    '"a\\/b"',
    '0.0000001',
    '5.0999999999999996',
  ].entries())
    appendFileSync(run.journalPath, line(index, call));
  const search = new RunSearch(run, new JournalIndex(run));
  const words = ['hello', '1000', 'a/b', '1e-7', '5.1'];
  const expected = [[0], [1], [2], [3], [4]];
  expect(await search.find(words, signal)).toEqual(expected);
  await search.prepare();
  expect(await search.find(words, signal)).toEqual(expected);
});

test('texts beyond what fits are not kept, and no word is found across two of them', () => {
  const texts = new FoldedTexts(9 * 1024 * 1024);
  const added = [
    'one',
    '',
    'two',
    'x'.repeat(5_000_000),
    'é'.repeat(1_000_000),
    'y'.repeat(5_000_000),
    'three',
  ].map((one) => texts.add(one));
  expect(added).toEqual([true, true, true, true, false, false, false]);
  const found: number[][] = [[], [], [], []];
  for (const _ of texts.find(['o', 'onetwo', 'x', ''], found));
  expect(found).toEqual([[0, 2], [], [3], [0, 1, 2, 3]]);
  expect(texts.bytes).toBeLessThanOrEqual(9 * 1024 * 1024);
});
