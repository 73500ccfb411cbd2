import { isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import type { ForeignValue } from '../foreign-value.ts';
import { parseExpected } from './csv-assertions.ts';
import type { Report } from './report.ts';

/** A row of a CSV file as a test: columns are variables, and those with two underscores say more. */
export function testOfRow(row: ForeignValue, report: Report): ForeignValue {
  const columns = isJsonObject(row.value) ? Object.entries(row.value as JsonObject) : [];
  const parts: Parts = { vars: {}, assert: [], options: {}, metadata: {}, test: {}, thresholds: new Map() };
  for (const [key, cell] of columns) readCell(key, String(cell), parts, { row, report });
  for (const [index, threshold] of parts.thresholds) {
    const assertion = parts.assert[index];
    if (assertion !== undefined) parts.assert[index] = { ...assertion, threshold };
  }
  const { metric, ...test } = parts.test;
  const assert = metric === undefined ? parts.assert : parts.assert.map((each) => ({ ...each, metric }));
  return {
    value: {
      ...test,
      vars: parts.vars,
      assert,
      ...(Object.keys(parts.options).length === 0 ? {} : { options: parts.options }),
      ...(Object.keys(parts.metadata).length === 0 ? {} : { metadata: parts.metadata }),
    },
    path: row.path,
  };
}

interface Parts {
  readonly vars: Record<string, Json>;
  readonly assert: JsonObject[];
  readonly options: Record<string, Json>;
  readonly metadata: Record<string, Json>;
  readonly test: Record<string, Json>;
  /** By the position of the assertion. */
  readonly thresholds: Map<number, number>;
}

interface Context {
  readonly row: ForeignValue;
  readonly report: Report;
}

function readCell(key: string, cell: string, parts: Parts, { row, report }: Context): void {
  const isEmpty = cell.trim() === '';
  if (!key.startsWith('__')) parts.vars[key] = cell;
  else if (/^__expected\d*$/.test(key)) {
    if (!isEmpty) parts.assert.push(parseExpected(cell.trim()));
  } else if (key === '__prefix' || key === '__suffix') parts.options[key.slice(2)] = cell;
  else if (key === '__description' || key === '__providerOutput' || key === '__metric') {
    if (!isEmpty) parts.test[key.slice(2)] = cell;
  } else if (key === '__threshold') {
    if (!isEmpty && Number.isFinite(Number(cell))) parts.test['threshold'] = Number(cell);
  } else if (key.startsWith('__metadata:')) {
    const name = key.slice('__metadata:'.length);
    if (!isEmpty) parts.metadata[name.replace(/\[\]$/, '')] = name.endsWith('[]') ? splitTags(cell) : cell;
  } else if (/^__config:__expected\d*:threshold$/.test(key)) {
    const position = /__expected(\d+)/.exec(key)?.[1];
    if (Number.isFinite(Number(cell)) && !isEmpty)
      parts.thresholds.set(Number(position ?? 1) - 1, Number(cell));
  } else if (!isEmpty)
    report.lost(
      { what: `the column ${key}`, why: 'promptfoo has no such column', from: row.path, value: cell },
      [],
    );
}

/** A comma after a backslash does not split. */
function splitTags(cell: string): readonly string[] {
  return cell.split(/(?<!\\),/).map((tag) => tag.trim().replaceAll('\\,', ','));
}
