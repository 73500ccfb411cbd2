import type { RunDescription, RunDirectory } from '../journal/run-directory.ts';
import type { ResultRow } from '../model/page-data.ts';
import { printJson } from '../model/print-json.ts';
import { inertJson } from './inert-json.ts';
import type { JournalIndex } from './journal-index.ts';
import { withTestVerdict } from './result-row.ts';
import { DamagedRecord, resultDetail } from './result-detail.ts';
import type { SourceExcerpts } from './source-excerpts.ts';

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
  private kept: readonly Row[] = [];
  private readonly leftOut = { rows: 0, bad: 0, good: 0, damaged: 0 };

  constructor(run: RunDirectory, options: ContentOptions) {
    this.run = run;
    this.options = options;
    this.room = options.room;
  }

  /** The rows, separated by commas. */
  async *rows(): AsyncGenerator<string> {
    const chosen = await this.chooseRows();
    const kept: Row[] = [];
    let separator = '';
    for await (const { lines } of this.options.index.rowsFrom(0)) {
      let text = '';
      for (const json of splitLines(lines)) {
        const row = readRow(json);
        if (!chosen.has(row.index)) continue;
        kept.push(row);
        text += separator + inertJson(this.withFinalVerdict(json));
        separator = ',';
      }
      yield text;
    }
    this.kept = kept;
  }

  /** The details of those rows, each after its index. */
  async *details(): AsyncGenerator<string> {
    let separator = '';
    for (const row of badFirst(this.kept)) {
      const text = await this.detail(row);
      if (text === undefined) continue;
      yield `${separator}"${row.index}":${text}`;
      separator = ',';
    }
  }

  /** What was left out, for people; undefined if everything fits. */
  cut(): string | undefined {
    const { rows, bad, good, damaged } = this.leftOut;
    const parts = [
      rows > 0 ? `${count(rows, 'row')} of the list` : '',
      bad > 0 ? `the details of ${count(bad, 'result')} that did not pass` : '',
      good > 0
        ? `the details of ${count(good, 'result')} that passed or ${good === 1 ? 'was' : 'were'} skipped`
        : '',
    ].filter((part) => part !== '');
    const said = [
      parts.length === 0 ? '' : `Left out to keep this file small: ${parts.join('; ')}.`,
      damaged === 0 ? '' : `${count(damaged, 'record')} could not be read.`,
      parts.length === 0 ? '' : `\`assay view ${this.run.runId}\` shows everything.`,
    ].filter((part) => part !== '');
    return said.length === 0 ? undefined : said.join(' ');
  }

  /** By their indexes. */
  private async chooseRows(): Promise<ReadonlySet<number>> {
    const all: (Row & { readonly size: number })[] = [];
    for await (const { lines } of this.options.index.rowsFrom(0))
      for (const json of splitLines(lines))
        all.push({ ...readRow(json), size: byteLength(inertJson(json)) + 1 });
    const chosen = new Set<number>();
    for (const { index, size } of badFirst(all)) {
      if (size > this.room) continue;
      this.room -= size;
      chosen.add(index);
    }
    this.leftOut.rows = all.length - chosen.size;
    return chosen;
  }

  /**
   * A row contains its test's verdict so far. The last row may not fit into the report, so each gets the final
   * verdict.
   */
  private withFinalVerdict(json: string): string {
    const row = JSON.parse(json) as ResultRow;
    const final = this.options.index.fold.verdictOf(row);
    const { test_verdict = row.verdict, is_flaky = false } = row;
    if (final === undefined || (final.verdict === test_verdict && final.isFlaky === is_flaky)) return json;
    return printJson(withTestVerdict(row, final));
  }

  private async detail({ index, isBad }: Row): Promise<string | undefined> {
    const leaveOut = (): undefined => {
      this.leftOut[isBad ? 'bad' : 'good']++;
    };
    const place = await this.options.index.placeOf(index);
    // It does not get smaller: what cannot fit is not read.
    if (place === undefined || place.length > this.room) return leaveOut();
    try {
      const pieces = (await resultDetail(this.run, index, this.options)) ?? [];
      const text = inertJson(pieces.map(String).join(''));
      const size = byteLength(text) + KEY_BYTES;
      if (size > this.room) return leaveOut();
      this.room -= size;
      return text;
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      this.leftOut.damaged++;
      return undefined;
    }
  }
}

/** The length of `,"123456789":` at most. */
const KEY_BYTES = 13;

function badFirst<T extends Row>(rows: readonly T[]): readonly T[] {
  return [...rows.filter(({ isBad }) => isBad), ...rows.filter(({ isBad }) => !isBad)];
}

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

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
