import type { AssertionKinds } from '../../../checks/contract/assertion-kinds.ts';
import {
  isJsonList,
  isJsonObject,
  ownValue,
  setOwn,
  type Json,
  type JsonObject,
} from '../../../base/model/json.ts';
import type { DataRow, Test } from '../../../base/model/test.ts';
import type { Reader } from '../../../base/schema/reader.ts';
import { hasBraces } from '../../../base/schema/template.ts';
import { wrongType } from '../../../base/schema/values.ts';
import type { Dialect } from '../yaml/scalars.ts';
import { checkFilled } from './check-filled.ts';
import { TemplateFiller } from './fill-test.ts';
import { lastLine } from './last-line.ts';
import type { FileRow, RowFiles } from './row-files.ts';
import { RowFindings } from './row-findings.ts';
import { rowName } from './row-id.ts';

export interface TemplateContext {
  readonly kinds: AssertionKinds;
  /** The variables of the whole file. */
  readonly fileVars?: JsonObject | undefined;
  readonly rowFiles: RowFiles;
  /** How YAML is read in this suite. */
  readonly dialect: Dialect;
}

interface TestReading {
  /** Reads a test without templates. */
  readonly read: (value: Json) => Test | undefined;
  /** The id of a test that has none of its own. */
  readonly defaultId?: string;
  /** The line where the next test starts, if it is known. */
  readonly end?: (() => number) | undefined;
}

/** The tests that one authored test stands for: one, or with `each` one for each row. */
export function* readTests(
  value: Json,
  reader: Reader,
  { context, ...reading }: TestReading & { readonly context: TemplateContext },
): Generator<Test> {
  if (!isJsonObject(value) || !hasTemplates(value, context.fileVars)) {
    const test = reading.read(value);
    if (test === undefined) return;
    checkFilled(test, reader, context.kinds);
    yield test;
    return;
  }
  const vars = readVars(value, reader);
  if (vars === undefined) return;
  const template = new TestTemplate(value, reader, {
    ...context,
    ...reading,
    vars: merged(context.fileVars, vars),
  });
  for (const test of Object.hasOwn(value, 'each') ? template.readRows() : template.readOne()) {
    checkFilled(test, reader, context.kinds);
    yield test;
  }
}

/** Whether braces mean something in a test. With `each:` and nothing behind it, its author meant that they do. */
export function hasTemplates(value: Json, fileVars: JsonObject | undefined): boolean {
  if (fileVars !== undefined) return true;
  return isJsonObject(value) && (Object.hasOwn(value, 'vars') || Object.hasOwn(value, 'each'));
}

/** The `vars` at the reader; undefined after reporting that they are wrong. */
function readVars(value: JsonObject, reader: Reader): JsonObject | undefined {
  const vars = Object.hasOwn(value, 'vars') ? value['vars']! : {};
  if (isJsonObject(vars)) return vars;
  reader.enter('vars');
  wrongType(vars, reader, { wanted: 'an object (names and values)' });
  reader.leave();
  return undefined;
}

/** Nearer variables win. */
function merged(...layers: readonly (JsonObject | undefined)[]): JsonObject {
  const all: Record<string, Json> = {};
  for (const layer of layers)
    if (layer !== undefined) for (const key of Object.keys(layer)) setOwn(all, key, layer[key]!);
  return all;
}

interface TemplateOptions extends TemplateContext, TestReading {
  readonly vars: JsonObject;
}

class TestTemplate {
  private readonly value: JsonObject;
  private readonly reader: Reader;
  private readonly options: TemplateOptions;
  private end: number | undefined;

  constructor(value: JsonObject, reader: Reader, options: TemplateOptions) {
    this.value = value;
    this.reader = reader;
    this.options = options;
  }

  *readOne(): Generator<Test> {
    const test = this.read(this.options.vars);
    if (test !== undefined) yield test;
  }

  *readRows(): Generator<Test> {
    const { reader, value } = this;
    const each = value['each']!;
    reader.enter('each');
    if (isJsonList(each)) {
      reader.leave();
      yield* this.readList(each);
      return;
    }
    if (typeof each !== 'string' || each.trim() === '') {
      wrongType(each, reader, { wanted: 'a list of rows (objects), or the path of a file with rows' });
      reader.leave();
      return;
    }
    const opened = this.options.rowFiles.open(each, this.options.dialect);
    if ('problem' in opened) reader.error({ code: 'row_file', message: opened.problem });
    reader.leave();
    if (!('problem' in opened)) yield* this.readFile(opened.file, opened.rows);
  }

  private *readList(rows: readonly Json[]): Generator<Test> {
    const { reader } = this;
    if (rows.length === 0)
      reader.error({ code: 'no_rows', message: '`each` is empty: there is nothing to run', at: ['each'] });
    const places = rows.map((_, index) => reader.place('each', index));
    const findings = new RowFindings(reader);
    const list = {
      first: places[0]?.line ?? 0,
      last: rows.length === 0 ? 0 : lastLine(rows.at(-1), reader, ['each', rows.length - 1]),
    };
    for (const [index, values] of rows.entries()) {
      const { file, line, column } = places[index]!;
      const end = places[index + 1]?.line ?? list.last + 1;
      const row = { file, line, column, end: Math.max(end, line + 1), list };
      if (!isJsonObject(values)) {
        reader.enter('each');
        reader.enter(index);
        wrongType(values, reader, { wanted: 'a row (an object of names and values)' });
        reader.leave();
        reader.leave();
      } else yield* this.readRow(values, row, findings);
    }
    findings.end();
  }

  private *readFile(file: string, rows: Iterable<FileRow>): Generator<Test> {
    const { reader } = this;
    const findings = new RowFindings(reader);
    for (const { line, column, values, findings: found } of rows) {
      for (const finding of found) {
        reader.findings.push(finding);
        if (finding.severity === 'error') reader.errorCount++;
      }
      if (values === undefined) continue;
      const row = { file, line, column };
      if (isJsonObject(values)) yield* this.readRow(values, row, findings);
      else {
        reader.errorCount++;
        const message = 'a row must be an object of names and values';
        reader.findings.push({ severity: 'error', code: 'type', message, ...row, path: '' });
      }
    }
    findings.end();
  }

  private *readRow(
    values: JsonObject,
    place: Omit<DataRow, 'templateEnd'>,
    findings: RowFindings,
  ): Generator<Test> {
    const { reader } = this;
    const before = reader.findings.length;
    const own = ownValue(values, 'vars');
    const vars = merged(this.options.vars, isJsonObject(own) ? own : undefined, values);
    reader.row = { ...place, templateEnd: this.templateEnd() };
    const test = this.read(vars, rowName(values));
    reader.row = undefined;
    findings.settle(before, place);
    if (test !== undefined) yield test;
  }

  private read(vars: JsonObject, row?: string): Test | undefined {
    const { reader, options } = this;
    const errorsBefore = reader.errorCount;
    const filled = new TemplateFiller(vars, reader, options.kinds).test(this.value);
    // What an unknown variable stands for is unknown: reading on would only report what follows from that.
    if (reader.errorCount > errorsBefore) return undefined;
    reader.vars = vars;
    const named = this.withTextId(filled);
    const test = options.read(row === undefined ? named : this.withId(named, row));
    reader.vars = undefined;
    reader.filled = undefined;
    return test;
  }

  /** A number of JSON is as good an id as the same number in a CSV file. */
  private withTextId(filled: JsonObject): JsonObject {
    const id = ownValue(filled, 'id');
    const isNumber = typeof id === 'number' || typeof id === 'bigint';
    return isNumber && typeof ownValue(this.value, 'id') === 'string'
      ? { ...filled, id: String(id) }
      : filled;
  }

  /** An id with variables tells the rows apart itself. */
  private withId(filled: JsonObject, row: string): JsonObject {
    const authored = ownValue(this.value, 'id');
    if (typeof authored === 'string' && hasBraces(authored)) return filled;
    const base = authored ?? this.options.defaultId;
    if (base === undefined) return { ...filled, id: row };
    return typeof base === 'string' && base.trim() !== '' ? { ...filled, id: `${base}[${row}]` } : filled;
  }

  private templateEnd(): number {
    return (this.end ??= this.options.end?.() ?? lastLine(this.value, this.reader) + 1);
  }
}
