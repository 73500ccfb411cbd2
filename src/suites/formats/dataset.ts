import type { Finding } from '../../base/model/finding.ts';
import { isJsonList, isJsonObject, ownValue, type Json } from '../../base/model/json.ts';
import type { PathSegment } from '../../base/model/place.ts';
import type { Test } from '../../base/model/test.ts';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import { Reader, type Source } from '../../base/schema/reader.ts';
import { describe } from '../../base/schema/values.ts';
import type { CaseFile, PlacedCase } from './agentv/case-files.ts';
import { AgentvVerdicts } from './agentv/mean-decides.ts';
import { isWrittenForAgentv } from './agentv/recognise-agentv.ts';
import type { EvalCaseSchema } from './eval-case-schema.ts';
import { readEvalCase, type CaseContext, type SuiteDefaults } from './eval-case.ts';
import { createColumnCounter } from './columns.ts';
import { JsonPlaces } from './json-places.ts';
import { basename } from './path-names.ts';
import { readJson } from './read-json.ts';
import type { SyntaxProblem } from './syntax-problem.ts';
import { checkFilled } from './templates/check-filled.ts';
import { hasTemplates, readTests } from './templates/read-tests.ts';
import type { RowFiles } from './templates/row-files.ts';
import { UsedIds } from './used-ids.ts';

/** What one line of a dataset holds: a test, or the reasons why it holds none; nothing for a blank line. */
export interface DatasetLine {
  readonly line: number;
  readonly test?: Test;
  /** With `each`, instead of one test: one for each row, read while iterating. */
  readonly rows?: Iterable<DatasetLine>;
  readonly findings: readonly Finding[];
}

export interface DatasetOptions {
  readonly file: string;
  readonly schema: EvalCaseSchema;
  readonly kinds: AssertionKinds;
  readonly defaults: SuiteDefaults;
  readonly rowFiles: RowFiles;
  /** Who read the file before has found that no id is there twice. */
  readonly areIdsKnown?: boolean | undefined;
}

/** Reads the lines of one dataset, in order. It remembers their ids and nothing else. */
export class DatasetReader {
  private readonly options: DatasetOptions;
  private readonly ids: UsedIds | undefined;
  private readonly places = new LinePlaces();
  private readonly context: CaseContext;
  private readonly verdicts: AgentvVerdicts;
  /** What is spread over several lines, which has been reported. */
  private spread: 'object' | 'array' | undefined;

  constructor(options: DatasetOptions) {
    this.options = options;
    const { file, schema, defaults } = options;
    this.context = { schema, defaults, sidecar: basename(file).replace(/\.jsonl$/i, '.yaml') };
    this.verdicts = new AgentvVerdicts(options.kinds, options.rowFiles.agentvProject);
    if (options.areIdsKnown !== true) this.ids = new UsedIds();
  }

  /** `text` is the line without its line feed; `line` counts from 1. */
  read(text: string, line: number): DatasetLine | undefined {
    const body = line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;
    if (BLANK.test(body)) return undefined;
    const { file, defaults } = this.options;
    const parsed = readJson(body);
    const reader = new Reader(new LineSource({ file, line }, body, this.places));
    reader.isAgentv =
      defaults.isAgentv === true ||
      this.options.rowFiles.agentvProject?.() === 'newer' ||
      ('value' in parsed && isWrittenForAgentv(parsed.value, this.options.kinds));
    if ('problem' in parsed) {
      // One mistake, whatever the number of lines.
      if (this.spread !== undefined) return { line, findings: [] };
      if (SPREAD.test(body)) this.spread = 'object';
      else if (/^\s*\[/.test(body)) this.spread = 'array';
      return { line, findings: [syntaxFinding(parsed.problem, body, { file, line })] };
    }
    // A whole case: what was spread over lines has ended.
    if (isJsonObject(parsed.value) && this.spread === 'object') this.spread = undefined;
    if (!isJsonObject(parsed.value)) {
      reader.error({
        code: 'not_object',
        message: `a line must be an object (an eval case), but is ${describe(parsed.value)}`,
        hint: isJsonList(parsed.value) ? ARRAY_HINT : undefined,
      });
      return { line, findings: reader.findings };
    }
    if (hasTemplates(parsed.value, defaults.vars)) {
      const rows = this.readRows(parsed.value, reader, line);
      return { line, rows, findings: [] };
    }
    const test = this.readCase(parsed.value, line, reader);
    if (test !== undefined && this.mayHaveBraces(body)) checkFilled(test, reader, this.options.kinds);
    return test === undefined
      ? { line, findings: reader.findings }
      : { line, test, findings: reader.findings };
  }

  /** Of the line, or of what its file adds to all of them. */
  private mayHaveBraces(body: string): boolean {
    const { evaluators, shared } = this.options.defaults;
    if (evaluators !== undefined || shared !== undefined) return true;
    return body.includes('{{') || /\\u007b/i.test(body);
  }

  private readCase(value: Json, line: number, reader: Reader): Test | undefined {
    const read = readEvalCase(value, reader, this.context);
    const test = read === undefined ? undefined : this.verdicts.apply(read, reader);
    const id = isJsonObject(value) ? ownValue(value, 'id') : undefined;
    if (typeof id !== 'string' || this.ids === undefined) return test;
    return this.ids.add(id, line, reader) ? test : undefined;
  }

  private *readRows(value: Json, reader: Reader, line: number): Generator<DatasetLine> {
    const { kinds, rowFiles, defaults } = this.options;
    for (const test of readTests(value, reader, {
      context: { kinds, rowFiles, fileVars: defaults.vars, dialect: 'core' },
      read: (filled) => this.readCase(filled, line, reader),
      end: () => line + 1,
    }))
      yield { line, test, findings: reader.findings.splice(0) };
    if (reader.findings.length > 0) yield { line, findings: reader.findings };
  }
}

/** The cases of a dataset that belongs to a suite. What is wrong with their text is added to the suite's findings. */
export function* openLines(file: CaseFile, suite: Reader, kinds: AssertionKinds): Generator<PlacedCase> {
  const places = new LinePlaces();
  const lines = file.text
    .split('\n')
    .map((text, index) => ({ body: index === 0 ? text.replace(/^\uFEFF/, '') : text, line: index + 1 }))
    .filter(({ body }) => !BLANK.test(body))
    .map((each) => ({ ...each, parsed: readJson(each.body) }));
  const cases = lines.flatMap(({ parsed }) => ('value' in parsed ? [parsed.value] : []));
  const isAgentv = suite.isAgentv || isWrittenForAgentv(cases, kinds);
  for (const { body, line, parsed } of lines) {
    const reader = new Reader(new LineSource({ file: file.path, line }, body, places));
    reader.isAgentv = isAgentv;
    if ('value' in parsed) yield { value: parsed.value, reader, end: () => line + 1 };
    else {
      reader.findings.push(syntaxFinding(parsed.problem, body, { file: file.path, line }));
      reader.errorCount++;
    }
    suite.add(reader);
  }
}

function syntaxFinding(
  { code, message, hint, offset }: SyntaxProblem,
  body: string,
  { file, line }: { readonly file: string; readonly line: number },
): Finding {
  const help = SPREAD.test(body)
    ? 'this looks like JSON over several lines: a dataset has one case per line'
    : looksLikeArray(body, message)
      ? ARRAY_HINT
      : hint;
  return {
    severity: 'error',
    code,
    message: code === 'json' ? `Line ${line}: Invalid JSON: ${message}` : message,
    ...(help === undefined ? {} : { hint: help }),
    file,
    line,
    column: createColumnCounter(body).between(0, offset) + 1,
    path: '',
  };
}

/** The first line of an object over several lines. */
const SPREAD = /^\s*\{\s*$/;

const ARRAY_HINT =
  'this looks like a JSON array: a dataset has one case per line, without brackets around them or commas between them';

/** The beginning of an array, the end of one, or a whole item with the comma or bracket behind it. */
function looksLikeArray(body: string, message: string): boolean {
  return /^\s*(?:\[|\]\s*$)/.test(body) || /^unexpected "[\],]" after the end of the value/.test(message);
}

const BLANK = /^[ \t\r]*$/;

/**
 * The places of the line that was asked about last. Those of one line are asked for together, and to hold them for every line
 * would take more room than its test.
 */
class LinePlaces {
  private text = '';
  private places = new JsonPlaces('');
  private columns = createColumnCounter('');

  columnOf(text: string, path: readonly PathSegment[], part: 'key' | 'value'): number {
    if (text !== this.text) {
      this.text = text;
      this.places = new JsonPlaces(text);
      this.columns = createColumnCounter(text);
    }
    return this.columns.between(0, this.places.find(path, part)) + 1;
  }
}

class LineSource implements Source {
  readonly isLazy = true;
  readonly file: string;
  readonly line: number;
  private readonly text: string;
  private readonly places: LinePlaces;

  constructor(line: Pick<LineSource, 'file' | 'line'>, text: string, places: LinePlaces) {
    this.file = line.file;
    this.line = line.line;
    this.text = text;
    this.places = places;
  }

  locate(path: readonly PathSegment[], part: 'key' | 'value'): { line: number; column: number } {
    return { line: this.line, column: this.places.columnOf(this.text, path, part) };
  }
}
