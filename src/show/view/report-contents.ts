import type { RunDescription, RunDirectory } from '../../runs/journal/run-directory.ts';
import { shortTextId } from '../../base/model/sent-texts.ts';
import { TextFile } from '../../runs/journal/text-file.ts';
import type { ResultRow } from '../../base/model/page-data.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { JournalIndex } from './journal-index.ts';
import { withTest } from './result-row.ts';
import { mostPackedBytes, packedJson } from './packed-json.ts';
import { DamagedRecord, resultDetail } from './result-detail.ts';
import type { SourceExcerpts } from './source-excerpts.ts';
import { numbered } from '../../base/model/grouped.ts';

export interface ContentOptions {
  readonly index: JournalIndex;
  readonly description: RunDescription;
  readonly sources: SourceExcerpts;
  /** How many bytes the rows and details may take. */
  readonly room: number;
}

interface Row {
  readonly index: number;
  readonly isBad: boolean;
}

/**
 * What part of a run fits into a report: rows before details, and results that did not pass before those that did.
 */
export class ReportContents {
  private readonly run: RunDirectory;
  private readonly options: ContentOptions;
  private room: number;
  /** The indexes of the rows that were kept: those that did not pass, and the others. */
  private readonly kept = { bad: [] as number[], good: [] as number[] };
  /** The texts of model calls that the details refer to. */
  private readonly textIds = new Set<string>();
  private readonly leftOut = { rows: 0, bad: 0, good: 0, damaged: 0, texts: 0 };

  constructor(run: RunDirectory, options: ContentOptions) {
    this.run = run;
    this.options = options;
    this.room = options.room;
  }

  /** The rows, in blocks. */
  async *rows(): AsyncGenerator<string> {
    const chosen = await this.chooseRows();
    for await (const { lines } of this.options.index.rowsFrom(0)) {
      const texts: string[] = [];
      for (const json of splitLines(lines)) {
        const row = readRow(json);
        if (chosen?.has(row.index) === false) continue;
        this.kept[row.isBad ? 'bad' : 'good'].push(row.index);
        texts.push(this.withFinalTest(json));
      }
      if (texts.length > 0) yield this.take(packedJson('rows', `[${texts.join(',')}]`));
    }
    // Rows come first: a report that lacks some has no details.
    if (this.leftOut.rows > 0) this.room = 0;
  }

  /** The details of those rows, in blocks. */
  async *details(): AsyncGenerator<string> {
    let block: Detail[] = [];
    let size = 0;
    for (const row of this.keptRows()) {
      const json = await this.detail(row);
      if (json === undefined) continue;
      // What did not pass and what did are never in one block: the latter is left out first.
      if (size > BLOCK_BYTES || (block.length > 0 && block[0]!.row.isBad !== row.isBad)) {
        yield* this.packed(block);
        [block, size] = [[], 0];
      }
      block.push({ row, json });
      size += json.length;
    }
    yield* this.packed(block);
  }

  /** What the models of those details were sent, each text once. */
  async *texts(): AsyncGenerator<string> {
    const file = new TextFile(this.run.textsPath);
    let block: Record<string, string> = {};
    let size = 0;
    for (const id of this.textIds) {
      const text = file.read(id);
      if (text === undefined) continue;
      block[id] = text;
      size += text.length;
      if (size < BLOCK_BYTES) continue;
      yield* this.packedTexts(block);
      [block, size] = [{}, 0];
    }
    yield* this.packedTexts(block);
  }

  private *packedTexts(texts: Readonly<Record<string, string>>): Generator<string> {
    const ids = Object.keys(texts);
    if (ids.length === 0) return;
    const block = packedJson('texts', JSON.stringify(texts), ids.map(shortTextId));
    if (block.length <= this.room) yield this.take(block);
    else this.leftOut.texts += ids.length;
  }

  private *keptRows(): Generator<Row> {
    for (const index of this.kept.bad) yield { index, isBad: true };
    for (const index of this.kept.good) yield { index, isBad: false };
  }

  /** As much of a block as there is room for. */
  private *packed(block: readonly Detail[]): Generator<string> {
    const [first] = block;
    if (first === undefined) return;
    const json = `{${block.map((one) => `"${one.row.index}":${one.json}`).join(',')}}`;
    const text = packedJson(
      'details',
      json,
      block.map(({ row }) => row.index),
    );
    if (text.length <= this.room) {
      for (const [id] of json.matchAll(TEXT_IDS)) this.textIds.add(id);
      yield this.take(text);
    } else if (block.length === 1) this.leftOut[first.row.isBad ? 'bad' : 'good']++;
    else {
      const half = Math.ceil(block.length / 2);
      yield* this.packed(block.slice(0, half));
      yield* this.packed(block.slice(half));
    }
  }

  private take(text: string): string {
    this.room -= text.length;
    return text;
  }

  /** What was left out, for people; undefined if everything fits. */
  cut(): string | undefined {
    const { rows, bad, good, damaged, texts } = this.leftOut;
    const parts = [
      rows > 0 ? `${numbered(rows, 'row')} of the list` : '',
      bad > 0 ? `the details of ${numbered(bad, 'result')} that did not pass` : '',
      good > 0
        ? `the details of ${numbered(good, 'result')} that passed or ${good === 1 ? 'was' : 'were'} skipped`
        : '',
      texts > 0 ? `${numbered(texts, 'text')} that models were sent` : '',
    ].filter((part) => part !== '');
    const said = [
      parts.length === 0 ? '' : `Left out to keep this file small: ${parts.join('; ')}.`,
      damaged === 0 ? '' : `${numbered(damaged, 'record')} could not be read.`,
      parts.length === 0 ? '' : `\`assay view ${this.run.runId}\` shows everything.`,
    ].filter((part) => part !== '');
    return said.length === 0 ? undefined : said.join(' ');
  }

  /** By their indexes; undefined if all of them fit. */
  private async chooseRows(): Promise<ReadonlySet<number> | undefined> {
    let packed = 0;
    let found = 0;
    for await (const { lines } of this.options.index.rowsFrom(0)) {
      const texts = splitLines(lines);
      packed += packedJson('rows', `[${texts.join(',')}]`).length + TEST_BYTES * texts.length;
      found += texts.length;
    }
    if (packed <= this.room) return undefined;
    const chosen = new Set<number>();
    let size = 0;
    for (const isBad of [true, false]) {
      for await (const { lines } of this.options.index.rowsFrom(0)) {
        for (const json of splitLines(lines)) {
          const row = readRow(json);
          const next = size + Buffer.byteLength(json) + TEST_BYTES;
          if (row.isBad !== isBad || mostPackedBytes(next) > this.room) continue;
          size = next;
          chosen.add(row.index);
        }
      }
    }
    this.leftOut.rows = found - chosen.size;
    return chosen;
  }

  /**
   * A row contains its test so far. The last row of a test may not fit into the report, so each gets the final test.
   */
  private withFinalTest(json: string): string {
    const row = JSON.parse(json) as ResultRow;
    const { fold } = this.options.index;
    const test = fold.find(row);
    if (test === undefined) return json;
    const final = withTest(row, test, fold.rules);
    return printJson(final.of_test ?? null) === printJson(row.of_test ?? null) ? json : printJson(final);
  }

  private async detail({ index, isBad }: Row): Promise<string | undefined> {
    const leaveOut = (): undefined => {
      this.leftOut[isBad ? 'bad' : 'good']++;
    };
    const place = await this.options.index.placeOf(index);
    // What cannot fit, however well it compresses, is not read.
    if (place === undefined || place.length > BEST_RATIO * this.room) return leaveOut();
    try {
      const pieces = (await resultDetail(this.run, index, this.options)) ?? [];
      return pieces.map(String).join('');
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      this.leftOut.damaged++;
      return undefined;
    }
  }
}

interface Detail {
  readonly row: Row;
  readonly json: string;
}

/** A string that only looks like one is not found among the texts. */
const TEXT_IDS = /\bsha256:[0-9a-f]{64}\b/g;
/** Large enough to compress well, and small enough to unpack in no time. */
const BLOCK_BYTES = 500_000;
/** The text of a final test that a row may get. */
const TEST_BYTES = 100;
/** More than this is not gained, except for text that says nothing. */
const BEST_RATIO = 100;

function splitLines(lines: Buffer): readonly string[] {
  return lines
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}

function readRow(json: string): Row {
  const { index, verdict } = JSON.parse(json) as ResultRow;
  return { index, isBad: verdict === 'failed' || verdict === 'error' };
}
