import { parseCsv } from '../formats/csv/csv-reader.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { JsonObject } from '../../base/model/json.ts';
import type { ForeignFile } from './contract.ts';
import type { Locate } from './conversion-log.ts';

/** A CSV file with its header. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
  /** By the number of a row, and the name of a column. */
  readonly locate: Locate;
  /** About the header and rows that cannot be read. */
  readonly findings: readonly Finding[];
}

interface TableRow {
  /** Empty cells are not given. Undefined if the row cannot be read: its findings say why. */
  readonly values: JsonObject | undefined;
  readonly findings: readonly Finding[];
}

export function readTable({ path, text }: ForeignFile): Table {
  const { header, rows } = parseCsv(path, text);
  return {
    header,
    rows: rows.map(({ values, findings }) => ({ values: values && withoutEmpty(values), findings })),
    findings: rows.flatMap(({ findings }) => findings),
    locate: ([index, column]) => {
      const { line, column: start } = rows[Number(index)] ?? { line: 1, column: 1 };
      return { file: path, line, column: start, path: column === undefined ? '' : String(column) };
    },
  };
}

function withoutEmpty(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, cell]) => cell !== ''));
}
