import type { PlainPattern } from '../parser/plain-pattern.ts';
import type { Match } from './search-program.ts';

/**
 * Finds the first match of texts with `.*` between them, without a program. As in a search with one, the match begins as
 * early as it can; then every `.*` takes as much as it can, so the last text is the last one of its line.
 */
export function searchPlain(pattern: PlainPattern, subject: string): Match | null {
  const { texts, isOpenAtStart, isOpenAtEnd } = pattern;
  // Where each text was found last: a text that is further on is not looked for again, however many lines are between.
  const found = texts.map(() => -1);
  let from = 0;
  for (;;) {
    const first = subject.indexOf(texts[0]!, from);
    if (first < 0) return null;
    const lineEnd = endOfLine(subject, first);
    let end = first + texts[0]!.length;
    for (let index = 1; index < texts.length && end <= lineEnd; index++) {
      if (found[index]! < end) found[index] = subject.indexOf(texts[index]!, end);
      if (found[index]! < 0) return null;
      end = found[index]! + texts[index]!.length;
    }
    if (end <= lineEnd) {
      const start = isOpenAtStart ? subject.lastIndexOf('\n', first) + 1 : first;
      if (isOpenAtEnd) end = lineEnd;
      else if (isOpenAtStart || texts.length > 1) end = endOfLast(texts.at(-1)!, subject, lineEnd);
      return { start: codePoints(subject, start), end: codePoints(subject, end), groups: [] };
    }
    from = lineEnd + 1;
  }
}

function endOfLine(subject: string, from: number): number {
  const end = subject.indexOf('\n', from);
  return end < 0 ? subject.length : end;
}

function endOfLast(text: string, subject: string, lineEnd: number): number {
  return subject.lastIndexOf(text, lineEnd - text.length) + text.length;
}

/** How many code points are before this place of the text. */
function codePoints(text: string, end: number): number {
  let count = end;
  for (let index = 1; index < end; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800)
      count--;
  }
  return count;
}
