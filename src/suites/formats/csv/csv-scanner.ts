import { grouped } from '../../../base/model/grouped.ts';
/** One record of a CSV text: a line, or more if a quoted cell contains line breaks. */
export interface CsvRecord {
  readonly cells: readonly string[];
  /** Where each cell starts. */
  readonly places: readonly CsvPlace[];
  readonly line: number;
  /** An empty line. */
  readonly isBlank: boolean;
  readonly problems: readonly CsvProblem[];
}

export interface CsvPlace {
  readonly line: number;
  readonly column: number;
}

export interface CsvProblem extends CsvPlace {
  readonly code: 'csv_quote' | 'too_large';
  readonly message: string;
  readonly hint: string;
}

/** The most characters of one cell. */
export const CELL_LIMIT = 1_000_000;

const [QUOTE, LINE_FEED, CARRIAGE_RETURN] = [0x22, 0x0a, 0x0d];

const QUOTED_END = /["\r\n]/g;
const PLAIN_END = /[",;\r\n]/g;
/** Columns count code points: then every unit must be looked at. */
const SURROGATE = /[\ud800-\udfff]/;

/** `wrong`: a quote stands where none may be, and the rest of the cell does not matter. */
type State = 'cell start' | 'plain' | 'quoted' | 'quote in quoted' | 'wrong';

/**
 * Splits CSV text into records. The text may come in pieces, cut anywhere; only the current record is in memory.
 * It knows nothing of headers: see `CsvReader`.
 */
export class CsvScanner {
  private readonly separator: number;
  private state: State = 'cell start';
  private cells: string[] = [];
  private places: CsvPlace[] = [];
  private problems: CsvProblem[] = [];
  private cell = '';
  private cellStart: CsvPlace = { line: 1, column: 1 };
  private isCellTooLarge = false;
  private hasQuotes = false;
  private line = 1;
  private column = 1;
  private isAfterReturn = false;
  /** Where the current piece of the cell starts in the current piece of text. */
  private start = 0;

  constructor(separator: ',' | ';') {
    this.separator = separator.charCodeAt(0);
  }

  /** The records that end in this piece of text. */
  *write(text: string): Generator<CsvRecord> {
    this.start = 0;
    const isNarrow = !SURROGATE.test(text);
    for (let index = 0; index < text.length; index++) {
      if (isNarrow) index = this.skipOrdinary(text, index);
      if (index === text.length) break;
      const code = text.charCodeAt(index);
      // The second half of a CRLF: its first half has ended the line.
      const isRest = code === LINE_FEED && this.isAfterReturn;
      this.isAfterReturn = code === CARRIAGE_RETURN;
      if (isRest) continue;
      const isBreak = code === LINE_FEED || code === CARRIAGE_RETURN;
      const endsCell = this.read(text, index, code) && (isBreak || code === this.separator);
      if (endsCell) this.endCell();
      if (isBreak) {
        this.line++;
        this.column = 1;
        if (endsCell) yield this.endRecord();
      } else if (code < 0xdc00 || code > 0xdfff) this.column++;
    }
    if (this.state === 'quoted' || this.state === 'plain' || this.state === 'wrong')
      this.append(text.slice(this.start));
  }

  /** Goes on to the next character that may end something: most of a file is what is between them. */
  private skipOrdinary(text: string, from: number): number {
    const special = this.state === 'quoted' ? QUOTED_END : this.state === 'plain' ? PLAIN_END : undefined;
    if (special === undefined) return from;
    special.lastIndex = from;
    const to = special.exec(text)?.index ?? text.length;
    if (to > from) this.isAfterReturn = false;
    this.column += to - from;
    return to;
  }

  /** Whether a separator or a line break at this place ends the cell. */
  private read(text: string, index: number, code: number): boolean {
    const isEnd = code === this.separator || code === LINE_FEED || code === CARRIAGE_RETURN;
    switch (this.state) {
      case 'cell start':
        this.cellStart = { line: this.line, column: this.column };
        this.start = index;
        if (code === QUOTE) {
          this.start = index + 1;
          this.state = 'quoted';
          this.hasQuotes = true;
        } else if (!isEnd) this.state = 'plain';
        return true;
      case 'quoted':
        if (code !== QUOTE) return false;
        this.append(text.slice(this.start, index));
        this.state = 'quote in quoted';
        return false;
      case 'quote in quoted':
        this.start = index;
        if (code === QUOTE) this.state = 'quoted';
        else if (!isEnd) {
          this.report(TEXT_AFTER_QUOTE, this.here());
          this.state = 'wrong';
        }
        return true;
      default:
        if (isEnd) this.append(text.slice(this.start, index));
        else if (code === QUOTE && this.state === 'plain') {
          this.report(QUOTE_INSIDE, this.here());
          this.state = 'wrong';
        }
        return true;
    }
  }

  /** The last record, if the text does not end with a line break. */
  *end(): Generator<CsvRecord> {
    if (this.state === 'quoted') this.report(NOT_CLOSED, this.cellStart);
    if (this.state === 'cell start') {
      if (this.cells.length === 0) return;
      this.cellStart = this.here();
    }
    this.endCell();
    yield this.endRecord();
  }

  private append(text: string): void {
    if (this.isCellTooLarge) return;
    if (this.cell.length + text.length <= CELL_LIMIT) {
      this.cell += text;
      return;
    }
    this.isCellTooLarge = true;
    this.cell = '';
    this.report(TOO_LARGE, this.cellStart);
  }

  private endCell(): void {
    this.cells.push(this.cell);
    this.places.push(this.cellStart);
    this.cell = '';
    this.isCellTooLarge = false;
    this.state = 'cell start';
  }

  private endRecord(): CsvRecord {
    const { cells, places, problems } = this;
    const isBlank = cells.length === 1 && cells[0] === '' && !this.hasQuotes;
    this.cells = [];
    this.places = [];
    this.problems = [];
    this.hasQuotes = false;
    return { cells, places, line: places[0]!.line, isBlank, problems };
  }

  private report(problem: Omit<CsvProblem, 'line' | 'column'>, { line, column }: CsvPlace): void {
    this.problems.push({ ...problem, line, column });
  }

  private here(): CsvPlace {
    return { line: this.line, column: this.column };
  }
}

const DOUBLE_IT = 'put the whole cell in quotes, and write each quote inside it twice: "a ""b"" c"';

const TEXT_AFTER_QUOTE = {
  code: 'csv_quote',
  message: 'there is text after the closing quote of a cell',
  hint: DOUBLE_IT,
} as const;

const QUOTE_INSIDE = {
  code: 'csv_quote',
  message: 'there is a quote inside a cell that does not start with one',
  hint: DOUBLE_IT,
} as const;

const NOT_CLOSED = {
  code: 'csv_quote',
  message: 'the quote that starts this cell is never closed',
  hint: 'add the closing quote; a quote inside a quoted cell is written twice',
} as const;

const TOO_LARGE = {
  code: 'too_large',
  message: `a cell has more than ${grouped(CELL_LIMIT)} characters`,
  hint: 'move the text to a separate file, or close the quote of the cell',
} as const;
