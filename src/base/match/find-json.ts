import { isJsonObject, type Json } from '../model/json.ts';
import { parseJson } from '../model/parse-json.ts';
import { jsonEqual } from './json-equal.ts';
import { splitFences } from './fenced-blocks.ts';
import { scanJson } from './scan-json.ts';

/** What JSON a text holds. `several`: different values, of which nobody knows which one is meant. */
export type FoundJson =
  | { readonly kind: 'one'; readonly value: Json }
  | { readonly kind: 'several'; readonly count: number }
  | { readonly kind: 'broken' }
  | { readonly kind: 'none' };

/** The JSON that a text is, or holds in a code fence, or in its prose. */
export function findJson(text: string): FoundJson {
  const found = findFenced(text);
  return found.kind === 'none' ? findInProse(text) : found;
}

/** The JSON that a text is, or holds in a code fence. Other objects beside a fence leave open which one is meant. */
export function findFenced(text: string): FoundJson {
  const whole = tryParse(text);
  if (whole !== undefined) return { kind: 'one', value: whole };
  const { blocks, prose } = splitFences(text);
  const fenced = blocks.map(tryParse).filter((value) => value !== undefined);
  if (fenced.length === 0) return { kind: 'none' };
  const isBroken = blocks.some((block) => JSON_START.test(block) && tryParse(block) === undefined);
  return isBroken ? { kind: 'broken' } : oneOf([...fenced, ...valuesInProse(prose)]);
}

/** Those that are whole: beside a fence, words such as `{"total": ...}` describe the answer. */
function valuesInProse(text: string): readonly Json[] {
  const found: Json[] = [];
  for (let start = nextStart(text, 0); start !== undefined;) {
    const { kind, end } = scanJson(text, start);
    const value = kind === 'complete' ? tryParse(text.slice(start, end)) : undefined;
    if (value !== undefined && !isEmptyObject(value)) found.push(value);
    start = nextStart(text, Math.max(end, start + 1));
  }
  return found;
}

/**
 * Objects and lists of objects between words. Inside of JSON that is broken, or that the text breaks off, nothing is looked
 * for: a part of the answer is not the answer.
 */
function findInProse(text: string): FoundJson {
  const found: Json[] = [];
  for (let start = nextStart(text, 0); start !== undefined;) {
    const { kind, end } = scanJson(text, start);
    const value = kind === 'complete' ? tryParse(text.slice(start, end)) : undefined;
    if (value === undefined) return { kind: 'broken' };
    found.push(value);
    start = nextStart(text, end);
  }
  const filled = found.filter((value) => !isEmptyObject(value));
  return oneOf(filled.length === 0 ? found : filled);
}

function isEmptyObject(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function nextStart(text: string, from: number): number | undefined {
  START.lastIndex = from;
  return START.exec(text)?.index;
}

/** A block that is meant to be JSON. */
const JSON_START = /^\s*(?:\{\s*["}]|\[\s*[[{"\]\d-])/;

/** A brace in prose begins JSON when a key or nothing follows it; a bracket when an object does. */
const START = /\{\s*["}]|\[\s*\{\s*["}]/g;

function oneOf(values: readonly Json[]): FoundJson {
  const [first, ...others] = values;
  if (first === undefined) return { kind: 'none' };
  const isOne = others.every((other) => jsonEqual(first, other));
  return isOne ? { kind: 'one', value: first } : { kind: 'several', count: values.length };
}

function tryParse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
