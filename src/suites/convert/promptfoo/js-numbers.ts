import { isJsonList, isJsonObject, setOwn, type Json } from '../../../base/model/json.ts';
import { parseDocument, type ParsedDocument, type UnreadableDocument } from '../../formats/document.ts';

/**
 * YAML or JSON as promptfoo reads it, with the numbers of JavaScript: integers of 20 digits are rounded, and what is too large
 * for a number is a string.
 */
export function parseForeign(file: string, text: string): ParsedDocument | UnreadableDocument {
  const read = parseDocument(file, text, 'core');
  const huge = read.findings.filter(({ code }) => code === 'not_finite');
  const quoted = huge.length === 0 ? text : quoteNumbers(text, huge);
  const document = quoted === text ? read : parseDocument(file, quoted, 'core');
  if (!('source' in document)) return document;
  const { value } = document as ParsedDocument;
  return { ...(document as ParsedDocument), value: rounded(value) };
}

/** From the end: places before a quoted number stay the same. */
function quoteNumbers(
  text: string,
  places: readonly { readonly line: number; readonly column: number }[],
): string {
  const lines = text.split('\n');
  for (const { line, column } of places.toReversed()) {
    const characters = [...lines[line - 1]!];
    const rest = characters.slice(column - 1).join('');
    const number = /^[-+]?\d[\d.]*[eE][-+]?\d+(?=[\s,\]}]|$)/.exec(rest)?.[0];
    if (number === undefined) continue;
    const before = characters.slice(0, column - 1).join('');
    lines[line - 1] = `${before}"${number}"${rest.slice(number.length)}`;
  }
  return lines.join('\n');
}

function rounded(value: Json): Json {
  if (typeof value === 'bigint') return Number(value);
  if (isJsonList(value)) return value.map(rounded);
  if (!isJsonObject(value)) return value;
  const result: Record<string, Json> = {};
  for (const key of Object.keys(value)) setOwn(result, key, rounded(value[key]!));
  return result;
}
