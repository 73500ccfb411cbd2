import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseRecord } from '../../runs/journal/journal-reader.ts';
import { readLineAt } from '../../runs/journal/record-file.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import { foldText } from '../../base/model/fold-text.ts';
import { mayRound } from '../../base/model/parse-json.ts';
import { foldRecord, snippetOf, type Snippet } from '../../base/model/search-text.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { FoldedTexts } from './folded-texts.ts';
import type { JournalIndex } from './journal-index.ts';
import { mayContain, rawWord } from './raw-word.ts';

/** What is kept in memory of one run. Later records are read again for each search. */
const MAX_BYTES = 160 * 1024 * 1024;
/** How much of a journal is read at once; a longer record is read alone. */
const CHUNK_BYTES = 1024 * 1024;
/** What half a surrogate becomes in UTF-8. */
const REPLACEMENT = '\uFFFD';

/**
 * Search through the inputs, outputs and tool calls of a run's records. Once prepared, it searches their texts in
 * memory. Until then, and beyond what fits, it looks at the bytes of each record and parses only those that may match.
 */
export class RunSearch {
  readonly index: JournalIndex;
  private readonly run: RunDirectory;
  private readonly texts = new FoldedTexts(MAX_BYTES);
  private isFull = false;
  private preparing: Promise<void> | undefined;
  private finding: Promise<void> = Promise.resolve();

  constructor(run: RunDirectory, index: JournalIndex) {
    this.run = run;
    this.index = index;
  }

  /** Roughly the number of bytes it takes in memory. */
  get weight(): number {
    return this.texts.bytes + 16 * this.texts.count;
  }

  /** For each of the words, the numbers of the records in which it occurs. */
  find(words: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]> {
    const work = this.findAll(words.map(foldText), signal);
    // Without the results: they would be kept for as long as this search is.
    this.finding = Promise.allSettled([this.finding, work]).then(() => {});
    return work;
  }

  private async findAll(words: readonly string[], signal: AbortSignal): Promise<readonly number[][]> {
    const found = words.map((): number[] => []);
    await this.index.catchUp();
    if (words.length === 0) return found;
    let next = 0;
    if (!words.some((word) => word.includes(REPLACEMENT))) {
      const blocks = this.texts.find(words, found);
      while (blocks.next().done !== true && !signal.aborted) await nextTurn();
      next = this.texts.count;
    }
    // A line that somebody else wrote may spell the word in other ways.
    const raw = words.map((word) => rawWord(this.index.isSealed ? word : ''));
    const { count } = this.index;
    while (next < count && !signal.aborted) {
      const piece = readPiece(this.run.journalPath, this.index, next);
      const bytes = piece.bytes.toString('latin1');
      const candidates = raw.map((word) => mayContain(word, bytes, piece.starts));
      for (let line = 0; line < piece.starts.length; line++) {
        if (!candidates.some((lines) => lines.has(line))) continue;
        const text = textOf(piece.lineAt(line));
        for (const [at, word] of words.entries())
          if (candidates[at]!.has(line) && text.includes(word)) found[at]!.push(next + line);
      }
      next += piece.starts.length;
      // Gives other requests a turn.
      await nextTurn();
    }
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
    this.preparing ??= this.readTexts().finally(() => {
      this.preparing = undefined;
    });
    await this.preparing;
  }

  private async readTexts(): Promise<void> {
    while (!this.isFull && this.texts.count < this.index.count) {
      // Somebody waits for a search, and it would miss texts that are added meanwhile.
      const { finding } = this;
      await finding;
      if (finding !== this.finding) continue;
      const piece = readPiece(this.run.journalPath, this.index, this.texts.count);
      for (let line = 0; line < piece.starts.length && !this.isFull; line++)
        this.isFull = !this.texts.add(textOf(piece.lineAt(line)));
      await nextTurn();
    }
  }
}

interface Piece {
  readonly bytes: Buffer;
  /** Where the line of each record begins. */
  readonly starts: readonly number[];
  readonly lineAt: (line: number) => Buffer;
}

/** The next records: as many as are in a piece of the journal, at least one. */
function readPiece(path: string, index: JournalIndex, first: number): Piece {
  const { offset: start, length } = index.knownPlace(first)!;
  const starts = [0];
  const ends = [length];
  for (let next = first + 1; next < index.count; next++) {
    const place = index.knownPlace(next)!;
    const end = place.offset + place.length - start;
    if (end > CHUNK_BYTES) break;
    starts.push(place.offset - start);
    ends.push(end);
  }
  const bytes = readLineAt(path, { offset: start, length: ends.at(-1)! });
  return { bytes, starts, lineAt: (line) => bytes.subarray(starts[line], ends[line]) };
}

/** The index has verified the record; its checksum is one more field here. A record that changed since has no text. */
function textOf(line: Buffer): string {
  try {
    const json = line.toString('utf8');
    const record = mayRound(json) ? parseRecord(line) : (JSON.parse(json) as AttemptRecord);
    return record === undefined ? '' : foldRecord(record);
  } catch {
    return '';
  }
}
