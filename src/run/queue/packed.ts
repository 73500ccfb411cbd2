import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { parseJson } from '../../base/model/parse-json.ts';
import { printJson } from '../../base/model/print-json.ts';

/** A record holds replies, a few levels deeper than they arrived, and a result holds records. */
const DEPTH = { maxDepth: 2100 };
/** Either the rest is JSON from JSON.stringify, or it holds integers that JSON.parse would round. */
const PLAIN = 'j';
const EXACT = 'e';

/** Whoever can write to the queue must not fill the memory: a few megabytes may unpack to gigabytes. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * A value as text that every queue carries unchanged: Postgres refuses some characters of JSON. Records repeat
 * themselves so much that they compress to a fraction.
 */
export function pack(value: unknown): string {
  const { kind, text } = print(value);
  return kind + deflateRawSync(text, { level: 1 }).toString('base64');
}

export function unpack<T>(packed: string): T {
  const options = { maxOutputLength: MOST_BYTES };
  const text = inflateRawSync(Buffer.from(packed.slice(1), 'base64'), options).toString('utf8');
  return (packed.startsWith(EXACT) ? parseJson(text, DEPTH) : JSON.parse(text)) as T;
}

/** Undefined for text that Assay did not write, which is always an object. */
export function tryUnpack<T>(packed: string): T | undefined {
  try {
    const value = unpack<T | null>(packed);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reading integers of any size costs several times as much, and few values contain one. */
function print(value: unknown): { readonly kind: string; readonly text: string } {
  try {
    return { kind: PLAIN, text: JSON.stringify(value) };
  } catch {
    return { kind: EXACT, text: printJson(value) };
  }
}
