import { REPLACEMENT, type Redactor } from '../match/redact-secrets.ts';
import type { Json } from '../model/json.ts';
import { parseJson } from '../model/parse-json.ts';
import { printJson } from '../model/print-json.ts';

/*
 * A secret is written as `[redacted]`, and stands for any text, because nobody who replays need have it. A request may hold these words
 * by itself: they are written as `[[redacted]`, and stand for nothing but themselves.
 */

const LITERAL = `[${REPLACEMENT}`;

/** A value with its secrets hidden, and its JSON. */
export function hideSecrets<T extends Json>(
  value: T,
  redactor: Redactor,
): { readonly value: T; readonly json: string } {
  const plain = printJson(value);
  const marked = plain.includes(REPLACEMENT)
    ? (parseJson(plain.replaceAll(REPLACEMENT, LITERAL)) as T)
    : value;
  const { value: hidden, json } = redactor.printed(marked);
  return { value: hidden, json: json ?? printJson(hidden) };
}

/** Whether a recorded text, with hidden parts, can be this one. A hidden part ends where its JSON string does. */
export function matchesHidden(recorded: string, text: string): boolean {
  const parts = recorded.split(/(?<!\[)\[redacted\]/);
  const first = parts[0]!;
  const last = parts.at(-1)!;
  if (parts.length < 2 || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  // The first place that fits is as good as any: it leaves the most to the parts that follow.
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > end || leavesString(text, at, found)) return false;
    at = found + part.length;
  }
  return at <= end && !leavesString(text, at, end);
}

function leavesString(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === '"') return true;
  }
  return false;
}
