import { SHORTEST_SECRET } from './secret-pattern.ts';

/** What Assay puts where it shortens a text. */
const MARK = '…';

/** The text without the start of a secret before the mark of a shortened text, and without its end after one. */
export function redactCut(text: string, secret: string, replacement: string): string {
  if (!text.includes(MARK)) return text;
  const head = secret.slice(0, SHORTEST_SECRET);
  const withoutHeads = replaceAt(
    text,
    head,
    (at) => {
      let end = at + head.length;
      while (end - at < secret.length && text[end] === secret[end - at]) end++;
      return text.startsWith(MARK, end) ? [at, end] : undefined;
    },
    replacement,
  );
  const tail = secret.slice(-SHORTEST_SECRET);
  return replaceAt(
    withoutHeads,
    tail,
    (at) => {
      let [start, left] = [at, secret.length - tail.length];
      while (left > 0 && start > 0 && withoutHeads[start - 1] === secret[left - 1])
        [start, left] = [start - 1, left - 1];
      return withoutHeads.startsWith(MARK, start - 1) ? [start, at + tail.length] : undefined;
    },
    replacement,
  );
}

/** Replaces the ranges that some of the occurrences of a part belong to. */
function replaceAt(
  text: string,
  part: string,
  rangeOf: (at: number) => readonly [number, number] | undefined,
  replacement: string,
): string {
  let [result, done] = ['', 0];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const [start, end] = rangeOf(at) ?? [];
    if (start === undefined || start < done) continue;
    result += text.slice(done, start) + replacement;
    done = end!;
  }
  return result + text.slice(done);
}
