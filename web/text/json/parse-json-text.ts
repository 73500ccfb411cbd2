import type { Json } from '../../../src/model/json.ts';

/** A larger text is shown as it is. */
const MAX_LENGTH = 2_000_000;
const NESTED_TOO_DEEP = /[[{](?:\s*(?:[[{]|"(?:[^"\\]|\\.){0,100}"\s*:)){200}/;

/**
 * The object or list that a text consists of. Undefined if it is anything else, or if something would be lost: a key that occurs
 * twice, or a number that no browser can hold.
 */
export function parseJsonText(text: string): Json | undefined {
  const trimmed = text.trim();
  const isClosed = /^\{[^]*\}$|^\[[^]*\]$/.test(trimmed);
  if (!isClosed || trimmed.length > MAX_LENGTH || NESTED_TOO_DEEP.test(trimmed)) return undefined;
  let keys = 0;
  let isExact = true;
  const keep = (_key: string, value: unknown, context?: { readonly source?: string }): unknown => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      keys += Object.keys(value).length;
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    const source = context?.source;
    if (source !== undefined && /^-?\d+$/.test(source)) return BigInt(source);
    if (source === undefined || digitsOf(source) !== digitsOf(String(value))) isExact = false;
    return value;
  };
  try {
    const value = JSON.parse(trimmed, keep) as Json;
    return isExact && keys === writtenKeys(trimmed) ? value : undefined;
  } catch {
    return undefined;
  }
}

function digitsOf(number: string): string {
  return number.replace(/e.*$/i, '').replaceAll(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
}

function writtenKeys(text: string): number {
  let count = 0;
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (match[1] !== undefined) count++;
  return count;
}
