import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { parseJson } from '../model/parse-json.ts';
import { printJson } from '../model/print-json.ts';

/** A record holds replies, a few levels deeper than they came, and a result holds records. */
const DEPTH = { maxDepth: 2100 };

/**
 * A value as text that every queue carries unharmed: Postgres refuses some characters of JSON, and records repeat
 * themselves so much that they shrink to a fraction.
 */
export function pack(value: unknown): string {
  return deflateRawSync(printJson(value), { level: 1 }).toString('base64');
}

export function unpack<T>(packed: string): T {
  return parseJson(inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8'), DEPTH) as T;
}
