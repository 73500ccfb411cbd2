import { createHash } from 'node:crypto';
import { REPLACEMENT, type Redactor } from '../../base/match/redact-secrets.ts';
import type { Json } from '../../base/model/json.ts';
import { parseJson } from '../../base/model/parse-json.ts';
import { printJson } from '../../base/model/print-json.ts';

/*
 * A secret is written as `[redacted:NAME]`, with the variables that have it, so that it equals only the same secret, even with a
 * new value. One without a variable is known by a short hash, salted by the test. A request may contain the words `[redacted]`
 * by itself: they are written as `[[redacted]`. Earlier releases wrote `[redacted]` for every secret.
 */

const LITERAL = `[${REPLACEMENT}`;
const MARK = /\[redacted:([\w|#.-]+)\]/;
const OLD_MARK = /(?<!\[)\[redacted\]/;

/** Replaces each secret by its mark. */
export function markSecrets(redactor: Redactor, salt: string): Redactor {
  return redactor.marking(({ value, names }) => {
    const hash = (): string =>
      `#${createHash('sha256').update(`${salt}\n${value}`).digest('hex').slice(0, HASH_DIGITS)}`;
    return `[redacted:${names.length === 0 ? hash() : names.join('|')}]`;
  });
}

/** Enough to tell secrets apart, too few to find one by trying. */
const HASH_DIGITS = 8;

/** A value with its secrets marked, and its JSON. */
export function hideSecrets<T extends Json>(
  value: T,
  marker: Redactor,
): { readonly value: T; readonly json: string } {
  const plain = printJson(value);
  const escaped = plain.includes(REPLACEMENT)
    ? (parseJson(plain.replaceAll(REPLACEMENT, LITERAL)) as T)
    : value;
  const { value: hidden, json } = marker.printed(escaped);
  return { value: hidden, json: json ?? printJson(hidden) };
}

/** Whether two texts differ only in marks of the same secrets: several variables may have had one value. */
export function sameButForNames(recorded: string, text: string): boolean {
  // Every second piece is the names of a mark.
  const [then, now] = [recorded.split(MARK), text.split(MARK)];
  return (
    then.length === now.length &&
    then.length > 1 &&
    then.every((piece, index) =>
      index % 2 === 0
        ? piece === now[index]
        : piece.split('|').some((name) => now[index]!.split('|').includes(name)),
    )
  );
}

/** Whether a secret is hidden in a way that does not tell which one. */
export function hasOldMark(recorded: string): boolean {
  return OLD_MARK.test(recorded);
}
