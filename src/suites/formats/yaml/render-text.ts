import { isJsonObject, type Json } from '../../../base/model/json.ts';
import { printJson } from '../../../base/model/print-json.ts';

/** A value on one line, inside of brackets or outside. Every dialect of YAML reads it as the same value. */
export function renderFlow(value: Json): string {
  if (typeof value === 'string') return renderFlowText(value);
  if (typeof value === 'number') return renderNumber(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => renderFlow(item)).join(', ')}]`;
  if (!isJsonObject(value)) return printJson(value);
  const entries = Object.entries(value).map(([key, item]) => `${renderFlowText(key)}: ${renderFlow(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

export function renderFlowText(text: string): string {
  return isSafePlain(text) ? text : quoteSingle(text);
}

/**
 * PyYAML reads `1e-7` as a string: a number with an exponent needs a point. A float beyond 2^53 needs an exponent: without
 * one it would be an integer, and a little different.
 */
function renderNumber(value: number): string {
  const isLarge = Number.isInteger(value) && !Number.isSafeInteger(value);
  const digits = isLarge ? value.toExponential() : printJson(value);
  return digits.replace(/^(-?\d+)e/, '$1.0e');
}

/** `|` and the lines; undefined for a text whose whitespace a block might not keep. */
export function renderLiteral(text: string, indent: number): string | undefined {
  if (!PRINTABLE.test(text) || /^[ \n]|[ \t]$|[ \t]\n|\n\n$/.test(text) || text === '') return undefined;
  const lines = text.replace(/\n$/, '').split('\n');
  const margin = ' '.repeat(indent);
  const body = lines.map((line) => (line === '' ? '' : margin + line)).join('\n');
  return `${text.endsWith('\n') ? '|' : '|-'}\n${body}`;
}

/** Words that every dialect of YAML reads as plain strings, inside brackets too. */
function isSafePlain(text: string): boolean {
  return (
    /^[A-Za-z][\w .()!?%/+@-]*$/.test(text) &&
    !text.endsWith(' ') &&
    !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(text)
  );
}

const PRINTABLE = /^[\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u;

export function quoteSingle(text: string): string {
  const isOneLine = PRINTABLE.test(text) && !text.includes('\n');
  return isOneLine ? `'${text.replaceAll("'", "''")}'` : quoteDouble(text);
}

export function quoteDouble(text: string): string {
  return escapeControls(JSON.stringify(text));
}

/** Characters that JSON allows and YAML does not, and invisible ones that a review would miss. */
export function escapeControls(json: string): string {
  return json.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /[\x7f-\x9f\u2028\u2029\ufeff\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
