import { createColumnCounter } from './columns.ts';

/** Turns offsets of a text into lines and columns. The table of lines is built on first use. */
export interface LineIndex {
  at(offset: number): { readonly line: number; readonly column: number };
}

/** `firstLine`: for a text that is a part of another, and starts at one of its lines. */
export function createLineIndex(text: string, firstLine = 1): LineIndex {
  const columns = createColumnCounter(text);
  let starts: number[] | undefined;
  return {
    at(offset) {
      starts ??= lineStarts(text);
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle]! <= offset) low = middle;
        else high = middle - 1;
      }
      return { line: low + firstLine, column: columns.between(starts[low]!, offset) + 1 };
    },
  };
}

/** A line ends with LF, CRLF or CR, as in every editor. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(index + 1) !== 0x0a)) starts.push(index + 1);
  }
  return starts;
}
