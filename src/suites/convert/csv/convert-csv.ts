import { setOwn, type Json, type JsonObject } from '../../../base/model/json.ts';
import { hasReference, suiteOfCases } from '../chosen-check.ts';
import { ConversionLog } from '../conversion-log.ts';
import type { Conversion, ConvertContext, ConvertOptions, ForeignFile } from '../contract.ts';
import { given } from '../foreign-value.ts';
import { referenceCheck } from '../reference-check.ts';
import { readTable } from '../table.ts';
import { expectedColumn, inputColumn } from './input-column.ts';
import { convertPromptfooTable } from '../promptfoo/convert-promptfoo.ts';
import { uncheckedCase } from '../unchecked-case.ts';
import { UniqueIds } from '../unique-ids.ts';

/** A table with a row for each test. Columns that Assay does not know are kept in `metadata`. */
export function convertCsv(file: ForeignFile, context: ConvertContext): Conversion {
  const { options } = context;
  const { header, rows, locate, findings } = readTable(file);
  const log = new ConversionLog(locate);
  const columns = columnsOf({
    ...options,
    input: options.input ?? inputColumn(header),
    expected: options.expected ?? expectedColumn(header),
  });
  const isReadable = header.length > 0 && checkColumns(header, columns, log);
  if (isReadable && options.expected === undefined && header.some((name) => PROMPTFOO_COLUMN.test(name)))
    return convertPromptfooTable(file, columns.input, context);
  const ids = new UniqueIds(log);
  const cases: JsonObject[] = [];
  for (const [index, row] of rows.entries()) {
    if (!isReadable) break;
    const at = ['evalcases', cases.length];
    for (const { line, message } of row.findings) log.comment(at, `not converted: line ${line}: ${message}`);
    if (row.values === undefined) continue;
    const input = row.values[columns.input];
    if (input === undefined) {
      const message = `the column ${columns.input} is empty`;
      log.broken({ code: 'missing_input', message, from: [index, columns.input] }, at);
      continue;
    }
    const id = ids.add(String(row.values[columns.id] ?? `#${index + 1}`), [index]);
    const fields = { id, input, ...otherCells(row.values, columns) };
    const isChecked = hasReference(fields) || Object.hasOwn(fields, 'expected_outcome');
    cases.push(
      isChecked ? { ...fields, ...outcomeCheck(fields, options) } : uncheckedCase(fields, log, [index]),
    );
  }
  return suiteOfCases(cases, { options, log, findings });
}

const PROMPTFOO_COLUMN = /^__expected\d*$/;

/** A goal in words is for a judge. The evaluator of the file only compares with the expected answer. */
function outcomeCheck(fields: JsonObject, { evaluator = 'match' }: ConvertOptions): JsonObject {
  if (!Object.hasOwn(fields, 'expected_outcome')) return {};
  const judge = { type: 'llm_judge' };
  return { evaluators: hasReference(fields) ? [referenceCheck(evaluator), judge] : [judge] };
}

interface Columns {
  readonly id: string;
  readonly input: string;
  readonly expected: string;
}

function columnsOf({ id = 'id', input = 'input', expected = 'expected_output' }: ConvertOptions): Columns {
  return { id, input, expected };
}

/** Whether the columns that are named are there. */
function checkColumns(header: readonly string[], columns: Columns, log: ConversionLog): boolean {
  const defaults = columnsOf({});
  const wanted = Object.entries(columns).filter(
    ([name, column]) => name === 'input' || column !== defaults[name as keyof Columns],
  );
  const missing = wanted.filter(([, column]) => !header.includes(column as string));
  for (const [name, column] of missing) {
    const message = `there is no column ${column as string}; the columns are ${header.join(', ')}`;
    log.broken(
      { code: 'choose_mapping', message, hint: `name the column: --${name} ${header[0]}`, from: [] },
      [],
    );
  }
  return missing.length === 0;
}

function otherCells(values: JsonObject, columns: Columns): JsonObject {
  const metadata: Record<string, Json> = {};
  const fields: Record<string, Json> = {};
  for (const [column, cell] of Object.entries(values)) {
    if (column === columns.id || column === columns.input) continue;
    if (column === columns.expected) fields['expected_output'] = cell;
    else if (column === 'expected_outcome' || column === 'description') fields[column] = cell;
    else setOwn(metadata, column, cell);
  }
  return given({ ...fields, metadata: Object.keys(metadata).length === 0 ? undefined : metadata });
}
