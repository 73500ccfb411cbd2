import type { Finding } from '../../../base/model/finding.ts';
import { setOwn, type Json, type JsonObject } from '../../../base/model/json.ts';
import { quoteText } from '../../../base/schema/values.ts';
import { CELL_LIMIT, CsvScanner, type CsvPlace, type CsvRecord } from './csv-scanner.ts';

/** One row below the header: its cells by column name, or why it cannot be used. */
export interface CsvRow extends CsvPlace {
  /** Absent if something is wrong with the row. Every value is a string. */
  readonly values?: JsonObject;
  readonly findings: readonly Finding[];
}

/**
 * Reads a CSV file piece by piece: `write` every piece of its text, then `end`. The first line names the columns. It
 * understands quotes, a BOM, LF and CRLF, and `;` as the separator.
 */
export class CsvReader {
  private readonly file: string;
  private scanner: CsvScanner | undefined;
  /** The beginning of the text, until the separator is known. */
  private beginning = '';
  private columns: readonly string[] | undefined;
  private rowCount = 0;

  constructor(file: string) {
    this.file = file;
  }

  /** The names of the columns, once the first line was read; empty if it is wrong. */
  get header(): readonly string[] | undefined {
    return this.columns;
  }

  *write(text: string): Generator<CsvRow> {
    if (this.scanner !== undefined) {
      yield* this.toRows(this.scanner.write(text));
      return;
    }
    this.beginning += this.beginning === '' ? text.replace(/^\uFEFF/, '') : text;
    const separator = findSeparator(this.beginning);
    if (separator === undefined && this.beginning.length <= CELL_LIMIT) return;
    yield* this.begin(separator ?? ',');
  }

  *end(): Generator<CsvRow> {
    if (this.scanner === undefined) yield* this.begin(findSeparator(`${this.beginning}\n`) ?? ',');
    yield* this.toRows(this.scanner!.end());
    if (this.columns === undefined) yield this.wrong({ line: 1, column: 1 }, EMPTY);
    else if (this.rowCount === 0 && this.columns.length > 0)
      yield this.wrong({ line: 1, column: 1 }, HEADER_ONLY);
  }

  private *begin(separator: ',' | ';'): Generator<CsvRow> {
    this.scanner = new CsvScanner(separator);
    const text = this.beginning;
    this.beginning = '';
    yield* this.toRows(this.scanner.write(text));
  }

  private *toRows(records: Iterable<CsvRecord>): Generator<CsvRow> {
    for (const record of records) {
      if (record.isBlank) continue;
      if (this.columns === undefined) yield* this.readHeader(record);
      else yield this.readRow(record, this.columns);
    }
  }

  private *readHeader({ cells, places, line, problems }: CsvRecord): Generator<CsvRow> {
    const names = cells.map((cell) => cell.trim());
    const findings: Finding[] = problems.map((problem) => this.finding(problem, problem));
    const seen = new Set<string>();
    for (const [index, name] of names.entries()) {
      if (name === '')
        findings.push(
          this.finding(places[index]!, { code: 'csv_header', message: `column ${index + 1} has no name` }),
        );
      else if (seen.has(name))
        findings.push(
          this.finding(places[index]!, {
            code: 'csv_header',
            message: `two columns have the name ${quoteText(name)}`,
            hint: 'give each column its own name',
          }),
        );
      seen.add(name);
    }
    this.columns = findings.length === 0 ? names : [];
    if (findings.length > 0) yield { line, column: 1, findings };
  }

  private readRow({ cells, places, line, problems }: CsvRecord, columns: readonly string[]): CsvRow {
    this.rowCount++;
    const { column } = places[0]!;
    if (problems.length > 0)
      return { line, column, findings: problems.map((problem) => this.finding(problem, problem)) };
    // The columns are unknown: the header has its own findings.
    if (columns.length === 0) return { line, column, findings: [] };
    if (cells.length !== columns.length) {
      const message = `this row has ${count(cells.length, 'cell')}, but the first line names ${count(columns.length, 'column')}`;
      const isLonger = cells.length > columns.length;
      return this.wrong(places[columns.length] ?? places[0]!, {
        code: 'csv_cells',
        message,
        ...(isLonger ? { hint: 'put a cell that contains the separator in quotes' } : {}),
      });
    }
    const values: Record<string, Json> = {};
    for (let index = 0; index < columns.length; index++) setOwn(values, columns[index]!, cells[index]!);
    return { line, column, values, findings: NONE };
  }

  private wrong(place: CsvPlace, problem: RowProblem): CsvRow {
    return { ...place, findings: [this.finding(place, problem)] };
  }

  private finding({ line, column }: CsvPlace, { code, message, hint }: RowProblem): Finding {
    return {
      severity: 'error',
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
      file: this.file,
      line,
      column,
      path: '',
    };
  }
}

interface RowProblem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

const EMPTY = { code: 'no_rows', message: 'the file is empty: its first line must name the columns' };
const HEADER_ONLY = { code: 'no_rows', message: 'the file has no rows below its first line' };

const NONE: readonly Finding[] = [];

/** A whole CSV text. Bad rows have findings instead of values. */
export function parseCsv(
  file: string,
  text: string,
): { readonly header: readonly string[]; readonly rows: readonly CsvRow[] } {
  const reader = new CsvReader(file);
  const rows = [...reader.write(text), ...reader.end()];
  return { header: reader.header ?? [], rows };
}

/** The separator that the first line has more often, outside of quotes; undefined if that line has not ended. */
function findSeparator(text: string): ',' | ';' | undefined {
  const counts = { ',': 0, ';': 0 };
  let isQuoted = false;
  let isBlank = true;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === ',' || character === ';')) counts[character]++;
    else if (!isQuoted && !isBlank && (character === '\n' || character === '\r'))
      return counts[';'] > counts[','] ? ';' : ',';
    isBlank &&= character === '\n' || character === '\r';
  }
  return undefined;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
