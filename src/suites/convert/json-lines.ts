import { createColumnCounter } from '../formats/columns.ts';
import { parseDocument } from '../formats/document.ts';
import { JsonPlaces } from '../formats/json-places.ts';
import { readJson } from '../formats/read-json.ts';
import type { Finding } from '../../base/model/finding.ts';
import { isJsonList, type Json } from '../../base/model/json.ts';
import { formatPath } from '../../base/model/place.ts';
import type { ForeignFile } from './contract.ts';
import { locateIn, type Locate } from './conversion-log.ts';

/** The lines of a `.jsonl` file. */
export interface JsonLines {
  /** Undefined for a line that is not JSON. */
  readonly values: readonly (Json | undefined)[];
  /** By the path in `values`: the number of a value, and the path in it. */
  readonly locate: Locate;
  /** About lines that are not JSON. */
  readonly findings: readonly Finding[];
}

/** Of a `.jsonl` file, or of a document that is a list or one value. */
export function readExamples(file: ForeignFile): JsonLines {
  if (/\.jsonl$/i.test(file.path)) return readJsonLines(file);
  const document = parseDocument(file.path, file.text, 'core');
  if (!('source' in document))
    return {
      values: [],
      findings: document.findings,
      locate: () => ({ file: file.path, line: 1, column: 1, path: '' }),
    };
  const { value, source, findings } = document;
  return { values: isJsonList(value) ? value : [value], findings, locate: locateIn(source) };
}

export function readJsonLines({ path, text }: ForeignFile): JsonLines {
  const values: (Json | undefined)[] = [];
  const findings: Finding[] = [];
  const lines: Line[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const body = index === 0 ? line.replace(/^\uFEFF/, '') : line;
    if (/^[ \t\r]*$/.test(body)) continue;
    const read = readJson(body);
    values.push('value' in read ? read.value : undefined);
    lines.push({ number: index + 1, text: body });
    if ('problem' in read) {
      const { code, message, offset } = read.problem;
      const column = createColumnCounter(body).between(0, offset) + 1;
      const place = { file: path, line: index + 1, column, path: '' };
      findings.push({
        severity: 'error',
        code,
        message: `Line ${index + 1}: Invalid JSON: ${message}`,
        ...place,
      });
    }
  }
  return { values, findings, locate: (at, part) => locateInLines({ path, lines }, at, part) };
}

interface Line {
  readonly number: number;
  readonly text: string;
}

export function locateInLines(
  { path, lines }: { readonly path: string; readonly lines: readonly Line[] },
  [index, ...inLine]: Parameters<Locate>[0],
  part: 'key' | 'value',
): ReturnType<Locate> {
  const line = typeof index === 'number' ? lines[index] : undefined;
  if (line === undefined) return { file: path, line: 1, column: 1, path: '' };
  const offset = new JsonPlaces(line.text).find(inLine, part);
  const column = createColumnCounter(line.text).between(0, offset) + 1;
  return { file: path, line: line.number, column, path: formatPath(inLine) };
}
