import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  fillTexts,
  keepTexts,
  LEFT_OUT_TEXT,
  shareTexts,
  textIds,
  withoutTexts,
} from '../../src/base/model/sent-texts.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { readJournal } from '../../src/runs/journal/journal-reader.ts';
import { RunDirectory } from '../../src/runs/journal/run-directory.ts';
import { RunTexts } from '../../src/runs/journal/run-texts.ts';
import { TextFile } from '../../src/runs/journal/text-file.ts';
import { assertionRecord, attemptRecord, stepRecord } from '../attempt-record.ts';
import { createTempFolder } from '../formats/temp-folder.ts';

const LONG = 'a long system prompt '.repeat(40);

/** A record of one model call, as a run makes it. */
function calling(system: string, fields: Partial<AttemptRecord> = {}): AttemptRecord {
  const call = {
    kind: 'model',
    name: 'm',
    start_ms: 0,
    sent: { system: `text:${JSON.stringify(system)}` },
  } as const;
  return attemptRecord({ steps: [stepRecord({ timeline: [call] })], ...fields });
}

function open(path: string) {
  const run = new RunDirectory(path);
  return { run, journal: run.openJournal({ onError: (error) => expect.unreachable(error.message) }) };
}

const systemOf = ({ steps }: AttemptRecord) => steps[0]!.timeline![0]!.sent!.system;
const read = (path: string, id: string | undefined) => new TextFile(join(path, 'texts.jsonl')).read(id!);

test('a text is in the file once, and every record refers to it', () => {
  const path = createTempFolder();
  const { journal } = open(path);
  for (let repeat = 1; repeat <= 1000; repeat++) journal.append(journal.keepTexts(calling(LONG, { repeat })));
  journal.append(journal.keepTexts(calling(`${LONG}!`)));
  journal.close();
  expect(readFileSync(join(path, 'texts.jsonl'), 'utf8').split('\n')).toHaveLength(3);
  const records = [...readJournal(join(path, 'results.jsonl'))].map(({ record }) => record);
  expect(new Set(records.map(systemOf)).size).toBe(2);
  for (const record of records) expect(JSON.parse(read(path, systemOf(record))!)).toContain(LONG);
});

test('whenever a record is in the journal, the texts that it refers to are on disk', () => {
  const path = createTempFolder();
  const { journal } = open(path);
  const isThere = (): boolean[] =>
    [...readJournal(join(path, 'results.jsonl'))].map(
      ({ record }) => read(path, systemOf(record)) !== undefined,
    );
  // Some are written together, some when the buffer of the journal is full, and one does not fit into it.
  journal.append(journal.keepTexts(calling(LONG)));
  journal.flush();
  expect(isThere()).toEqual([true]);
  for (let index = 0; index < 5; index++) journal.append(journal.keepTexts(calling(`${index} ${LONG}`)));
  journal.flush();
  expect(isThere()).toEqual(Array(6).fill(true));
  const steps = (output: string, system: string) => [{ ...calling(system).steps[0]!, output }];
  for (let index = 0; index < 4; index++)
    journal.append(
      journal.keepTexts(attemptRecord({ steps: steps('x'.repeat(60_000), `${index}. ${LONG}`) })),
    );
  expect(isThere().every(Boolean)).toBe(true);
  journal.append(journal.keepTexts(attemptRecord({ steps: steps('x'.repeat(400_000), `last ${LONG}`) })));
  expect(isThere()).toHaveLength(11);
  expect(isThere().every(Boolean)).toBe(true);
  journal.close();
});

test('without model calls there is no file, and a record is passed on as it is', () => {
  const path = createTempFolder();
  const { journal } = open(path);
  const record = attemptRecord({ steps: [stepRecord()], assertions: [assertionRecord()] });
  expect(journal.keepTexts(record)).toBe(record);
  journal.append(record);
  journal.close();
  expect(existsSync(join(path, 'texts.jsonl'))).toBe(false);
});

test('calls of a step that send the same share it, and each refers to it in the record', () => {
  const path = createTempFolder();
  const { journal } = open(path);
  const sent = { system: `text:${JSON.stringify(LONG)}`, parameters: 'text:{"seed":1}' };
  const call = { kind: 'model', name: 'm', start_ms: 0, sent } as const;
  const shared = shareTexts([
    call,
    { kind: 'tool', name: 't' },
    call,
    { ...call, sent: { tools: sent.system } },
  ]);
  expect(JSON.stringify(shared).split('a long system prompt').length).toBe(
    JSON.stringify([call]).split('a long system prompt').length,
  );
  expect(shared[1]).toEqual({ kind: 'tool', name: 't' });
  const { steps } = journal.keepTexts(attemptRecord({ steps: [stepRecord({ timeline: shared })] }));
  const [first, , second, other] = steps[0]!.timeline!;
  expect(first!.sent).toEqual({ system: expect.stringMatching(/^sha256:/), parameters: sent.parameters });
  expect(second!.sent).toEqual(first!.sent);
  expect(other!.sent).toEqual({ tools: first!.sent!.system });
  journal.flush();
  journal.close();
});

test('a short text stays in its record', () => {
  const path = createTempFolder();
  const { journal } = open(path);
  const record = calling('Be brief.');
  expect(journal.keepTexts(record)).toBe(record);
  journal.close();
});

describe('a damaged or missing text is not found', () => {
  test.each([
    ['changed', (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace('long', 'l0ng'))],
    ['cut off', (file: string) => truncateSync(file, statSync(file).size - 5)],
    ['gone', (file: string) => writeFileSync(file, '')],
  ])('%s', (_, damage) => {
    const path = createTempFolder();
    const { journal } = open(path);
    const kept = journal.keepTexts(calling(LONG));
    journal.append(kept);
    journal.close();
    damage(join(path, 'texts.jsonl'));
    expect(read(path, systemOf(kept))).toBeUndefined();
    // The run goes on: the next record that needs it writes it again.
    const again = open(path).journal;
    expect(again.keepTexts(calling(LONG))).toEqual(kept);
    again.close();
    expect(JSON.parse(read(path, systemOf(kept))!)).toBe(LONG);
  });
});

test('an intact text is not written again when a run goes on', () => {
  const path = createTempFolder();
  for (let part = 0; part < 2; part++) {
    const { journal } = open(path);
    journal.append(journal.keepTexts(calling(LONG)));
    journal.close();
  }
  expect(readFileSync(join(path, 'texts.jsonl'), 'utf8').split('\n')).toHaveLength(2);
});

test('a text that is too long is cut visibly, and those beyond the size of a run are left out', () => {
  const path = join(createTempFolder(), 'texts.jsonl');
  const texts = new RunTexts(path, { text: 1000, run: 2000 });
  const id = texts.keep('x'.repeat(5000));
  expect(texts.keep('y'.repeat(900))).toBe(LEFT_OUT_TEXT);
  texts.close();
  // What was not flushed is not there.
  expect(new TextFile(path).read(id)).toBeUndefined();
  const again = new RunTexts(path, { text: 1000, run: 2000 });
  again.keep('x'.repeat(5000));
  again.sync();
  again.close();
  expect(new TextFile(path).read(id)).toBe(`${'x'.repeat(1000)}\n[cut: the first 1,000 of 5,000 characters]`);
});

test('a record of another run takes its texts along, and what is missing there stays missing', () => {
  const texts = new Map([['sha256:1', JSON.stringify(LONG)]]);
  const call = (system: string) => ({ kind: 'model', name: 'm', start_ms: 0, sent: { system } }) as const;
  const record = attemptRecord({
    steps: [stepRecord({ timeline: [call('sha256:1'), call('sha256:2'), call(LEFT_OUT_TEXT)] })],
    assertions: [assertionRecord({ judge_prompts: [{ prompt: 'sha256:1' }] })],
  });
  expect([...textIds(record)]).toEqual(['sha256:1', 'sha256:2']);
  const filled = fillTexts(record, (id) => texts.get(id));
  const kept: string[] = [];
  expect(keepTexts(filled, (text) => `sha256:${kept.push(text)}${text.length > 0 ? 'n' : ''}`)).toMatchObject(
    {
      steps: [
        {
          timeline: [
            { sent: { system: 'sha256:1n' } },
            { sent: { system: 'sha256:2' } },
            { sent: { system: 'left_out' } },
          ],
        },
      ],
      assertions: [{ judge_prompts: [{ prompt: 'sha256:2n' }] }],
    },
  );
  expect(kept).toEqual([JSON.stringify(LONG), JSON.stringify(LONG)]);
  expect(JSON.stringify(withoutTexts(filled))).not.toContain('a long system prompt');
});
