import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseRecord } from '../journal/journal-reader.ts';
import { readLineAt } from '../journal/record-file.ts';
import type { RunDirectory } from '../journal/run-directory.ts';
import { foldText } from '../model/fold-text.ts';
import { foldRecord, snippetOf, type Snippet } from '../model/search-text.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { JournalIndex } from './journal-index.ts';

/** What is kept in memory of one run. The texts of later records are read again for each search. */
const MAX_CHARACTERS = 64_000_000;
/** How much of a journal is read at once; a longer record is read alone. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * Search through the inputs, outputs and tool calls of a run's records. Their texts are kept as they are compared, so
 * only the first search parses the journal.
 */
export class RunSearch {
  readonly index: JournalIndex;
  private readonly run: RunDirectory;
  private readonly texts: string[] = [];
  private characters = 0;
  private reading: Promise<void> | undefined;

  constructor(run: RunDirectory, index: JournalIndex) {
    this.run = run;
    this.index = index;
  }

  /** Roughly the number of bytes it takes in memory. */
  get weight(): number {
    return 2 * this.characters + 64 * this.texts.length;
  }

  /** For each of the words, the numbers of the records in which it occurs. */
  async find(words: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]> {
    const folded = words.map(foldText);
    const found = folded.map((): number[] => []);
    const look = (text: string, index: number): void => {
      for (const [at, word] of folded.entries()) if (text.includes(word)) found[at]!.push(index);
    };
    await this.prepare();
    for (let index = 0; index < this.texts.length; index++) look(this.texts[index]!, index);
    await this.readFrom(this.texts.length, (text, index) => {
      look(text, index);
      return !signal.aborted;
    });
    return found;
  }

  /** Where the words occur in some records. */
  async snippets(
    indexes: readonly number[],
    words: readonly string[],
    signal?: AbortSignal,
  ): Promise<Readonly<Record<number, Snippet>>> {
    const snippets: Record<number, Snippet> = {};
    for (const index of indexes) {
      // Records may be large: other requests get a turn.
      await nextTurn();
      if (signal?.aborted === true) break;
      const place = await this.index.placeOf(index);
      const record = place === undefined ? undefined : parseRecord(readLineAt(this.run.journalPath, place));
      const snippet = record === undefined ? undefined : snippetOf(record, words);
      if (snippet !== undefined) snippets[index] = snippet;
    }
    return snippets;
  }

  /** Reads the texts of all records so far, as many as there is room for. Callers at the same time share the work. */
  async prepare(): Promise<void> {
    await this.index.catchUp();
    this.reading ??= this.readFrom(this.texts.length, (text) => {
      if (this.characters + text.length > MAX_CHARACTERS) return false;
      this.texts.push(text);
      this.characters += text.length;
      return true;
    }).finally(() => {
      this.reading = undefined;
    });
    await this.reading;
  }

  /** The texts from a record on, until `take` has enough. */
  private async readFrom(first: number, take: (text: string, index: number) => boolean): Promise<void> {
    for (let index = first; index < this.index.count;) {
      for (const line of readLines(this.run.journalPath, this.index, index))
        if (!take(textOf(line), index++)) return;
      // Gives other requests a turn.
      await nextTurn();
    }
  }
}

/** The lines of the next records: as many as are in a piece of the journal, at least one. */
function* readLines(path: string, index: JournalIndex, first: number): Generator<Buffer> {
  const start = index.knownPlace(first)!;
  let end = start.offset + start.length;
  let last = first + 1;
  for (; last < index.count; last++) {
    const { offset, length } = index.knownPlace(last)!;
    if (offset + length - start.offset > CHUNK_BYTES) break;
    end = offset + length;
  }
  const bytes = readLineAt(path, { offset: start.offset, length: end - start.offset });
  for (let at = first; at < last; at++) {
    const { offset, length } = index.knownPlace(at)!;
    yield bytes.subarray(offset - start.offset, offset - start.offset + length);
  }
}

/** The index has verified the record; its checksum is one more field here. A record that changed since has no text. */
function textOf(line: Buffer): string {
  try {
    return foldRecord(JSON.parse(line.toString('utf8')) as AttemptRecord);
  } catch {
    return '';
  }
}
