import { isJsonObject, type Json } from '../../model/json.ts';
import { printJson } from '../../model/print-json.ts';
import type { SourceNode } from './source-tree.ts';

export interface RenderPlace {
  readonly isJson: boolean;
  /** Inside brackets or braces. */
  readonly isInFlow: boolean;
  /** The style of the old value. */
  readonly style: SourceNode['style'];
  readonly kind: SourceNode['kind'];
  /** How far a block at this place is indented. */
  readonly indent: number;
  /** The old value took several lines. */
  readonly isMultiLine: boolean;
  /** Something follows on the same line. */
  readonly isFollowed: boolean;
}

/** How a value is written at a place: in the style of the old value, as far as that style can express it. */
export function renderValue(value: Json, place: RenderPlace): string {
  if (place.isJson) return renderJson(value, place);
  if (typeof value === 'string') return renderText(value, place);
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  const isBlock = place.style === 'block' && place.kind !== 'scalar' && !place.isInFlow && !isEmpty;
  return typeof value === 'object' && value !== null && isBlock
    ? renderBlock(value, place.indent)
    : renderFlow(value);
}

/** A value that took several lines takes several again. */
function renderJson(value: Json, { kind, indent, isMultiLine }: RenderPlace): string {
  if (kind === 'scalar' || !isMultiLine) return escapeControls(printJson(value));
  return escapeControls(printJson(value, '  ').replaceAll('\n', `\n${' '.repeat(indent)}`));
}

function renderText(text: string, { style, isInFlow, indent, isFollowed }: RenderPlace): string {
  if (style === 'double') return quoteDouble(text);
  if (style === 'single') return quoteSingle(text);
  const mayBeBlock = !isInFlow && !isFollowed && text.includes('\n');
  if ((style === 'block' && !isInFlow) || mayBeBlock) return renderLiteral(text, indent) ?? quoteDouble(text);
  return renderFlowText(text);
}

/** `|` and the lines; undefined for a text whose whitespace a block might not keep. */
function renderLiteral(text: string, indent: number): string | undefined {
  if (!PRINTABLE.test(text) || /^[ \n]|[ \t]$|[ \t]\n|\n\n$/.test(text) || text === '') return undefined;
  const lines = text.replace(/\n$/, '').split('\n');
  const margin = ' '.repeat(indent);
  const body = lines.map((line) => (line === '' ? '' : margin + line)).join('\n');
  return `${text.endsWith('\n') ? '|' : '|-'}\n${body}`;
}

function renderBlock(value: Json, indent: number): string {
  const margin = `\n${' '.repeat(indent)}`;
  const inner = (item: Json, deeper: number, isInList: boolean): string => {
    if (typeof item !== 'object' || item === null || Object.keys(item).length === 0)
      return `${isInList ? '' : ' '}${renderFlow(item)}`;
    return isInList ? renderBlock(item, deeper) : `\n${' '.repeat(deeper)}${renderBlock(item, deeper)}`;
  };
  if (Array.isArray(value))
    return value.map((item: Json) => `- ${inner(item, indent + 2, true)}`).join(margin);
  return Object.entries(value as object)
    .map(([key, item]) => `${renderFlowText(key)}:${inner(item as Json, indent + 2, false)}`)
    .join(margin);
}

function renderFlow(value: Json): string {
  if (typeof value === 'string') return renderFlowText(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => renderFlow(item)).join(', ')}]`;
  if (!isJsonObject(value)) return printJson(value);
  const entries = Object.entries(value).map(([key, item]) => `${renderFlowText(key)}: ${renderFlow(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function renderFlowText(text: string): string {
  return isSafePlain(text) ? text : quoteSingle(text);
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

function quoteSingle(text: string): string {
  const isOneLine = PRINTABLE.test(text) && !text.includes('\n');
  return isOneLine ? `'${text.replaceAll("'", "''")}'` : quoteDouble(text);
}

function quoteDouble(text: string): string {
  return escapeControls(JSON.stringify(text));
}

/** Characters that JSON allows and YAML does not, and invisible ones that a review would miss. */
function escapeControls(json: string): string {
  return json.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /[\x7f-\x9f\u2028\u2029\ufeff\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
