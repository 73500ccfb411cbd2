import { setOwn, type Json } from './json.ts';
import { BRACE_CLOSE, BRACE_OPEN, BRACKET_CLOSE, BRACKET_OPEN, endOfString, QUOTE } from './json-text.ts';

/**
 * JSON from an agent, with every integer exact (beyond 2^53 as a bigint). Throws a SyntaxError for anything that is
 * not JSON, including NaN and Infinity, and a JsonLimitError for numbers and nesting that would break users of the
 * value.
 */
export function parseJson(
  text: string,
  { maxDepth = DEPTH_LIMIT }: { readonly maxDepth?: number } = {},
): Json {
  if (text.length > 2 * maxDepth) checkDepth(text, maxDepth);
  const value = JSON.parse(text) as Json;
  return mayRound(text) ? new ExactReader(text).read() : value;
}

/** The same; undefined for what is not JSON, or beyond the limits. */
export function tryParseJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Whether JSON.parse may read a number in it as another one. */
export function mayRound(text: string): boolean {
  return ROUNDED.test(text) && ROUNDED_TOKEN.test(text);
}

export const DEPTH_LIMIT = 1000;

/**
 * Python refuses to read longer integers, and so does Assay: reading and printing them takes more than linear
 * time.
 */
export const MAX_DIGITS = 4300;

/** Valid JSON, but beyond the limits. */
export class JsonLimitError extends SyntaxError {}

/**
 * Digits of an integer that JSON.parse may round, or an exponent that may be too large. A match inside a string
 * only costs time. Digits after a point belong to a fraction, as in nearly every duration.
 */
const ROUNDED = /(?<![.\d])\d{16}|\d[eE]\+?\d{3}/;
/** The same where a number can start: slower to search, but it does not match hashes and ids. */
const ROUNDED_TOKEN = /(?:^|[[,:\s])-?(?:\d{16}|\d+(?:\.\d+)?[eE]\+?\d{3})/;

function checkDepth(text: string, maxDepth: number): void {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === BRACE_OPEN || code === BRACKET_OPEN) {
      if (++depth > maxDepth) throw new JsonLimitError(`it is nested more than ${maxDepth} levels deep`);
    } else if (code === BRACE_CLOSE || code === BRACKET_CLOSE) depth--;
  }
}

const TOKEN = /[[\]{},:]|"|-?\d[\d.eE+-]*|true|false|null/g;

/** Parses text that JSON.parse has accepted, so only the numbers need care. */
class ExactReader {
  private readonly text: string;
  private position = 0;

  constructor(text: string) {
    this.text = text;
  }

  read(): Json {
    return this.value(this.token());
  }

  private value(token: string): Json {
    switch (token) {
      case '{':
        return this.object();
      case '[':
        return this.array();
      case 'true':
        return true;
      case 'false':
        return false;
      case 'null':
        return null;
    }
    return token.startsWith('"') ? (JSON.parse(token) as string) : exactNumber(token);
  }

  private object(): Json {
    const object: Record<string, Json> = {};
    for (let token = this.token(); token !== '}'; token = this.token()) {
      if (token === ',') continue;
      this.token();
      setOwn(object, JSON.parse(token) as string, this.value(this.token()));
    }
    return object;
  }

  private array(): Json {
    const items: Json[] = [];
    for (let token = this.token(); token !== ']'; token = this.token()) {
      if (token !== ',') items.push(this.value(token));
    }
    return items;
  }

  private token(): string {
    TOKEN.lastIndex = this.position;
    const match = TOKEN.exec(this.text)!;
    const end = match[0] === '"' ? endOfString(this.text, match.index) + 1 : TOKEN.lastIndex;
    this.position = end;
    return this.text.slice(match.index, end);
  }
}

function exactNumber(digits: string): number | bigint {
  const value = Number(digits);
  const isWhole = !/[.eE]/.test(digits);
  if (isWhole ? digits.length > MAX_DIGITS : !Number.isFinite(value))
    throw new JsonLimitError(
      `the number ${digits.slice(0, 20)}${digits.length > 20 ? '...' : ''} is too large`,
    );
  return !isWhole || Number.isSafeInteger(value) ? value : BigInt(digits);
}
