/** A piece of Markdown is read and laid out at once; more of it would block the page. */
const PIECE = 6000;
const MAX_PIECE = 12_000;

/** A long text in pieces that can be read one by one: they end at an empty line, and not inside of a block of code. */
export function splitMarkdown(text: string): readonly string[] {
  if (text.length <= PIECE) return [text];
  const pieces: string[] = [];
  let start = 0;
  let at = 0;
  let fence: string | undefined;
  while (at < text.length) {
    const found = text.indexOf('\n', at);
    const end = found === -1 ? text.length : found + 1;
    const line = text.slice(at, Math.min(end, at + 200));
    fence = fenceAfter(line, fence);
    const isBreak = fence === undefined && line.trim() === '' && isTopLevel(text, end);
    if (end - start >= PIECE && (isBreak || end - start >= MAX_PIECE)) {
      pieces.push(
        ...(end - start > 2 * MAX_PIECE ? cutHard(text.slice(start, end)) : [text.slice(start, end)]),
      );
      start = end;
      fence = undefined;
    }
    at = end;
  }
  if (start < text.length) pieces.push(...cutHard(text.slice(start)));
  return pieces;
}

/** The next line does not continue a list or a quote. */
function isTopLevel(text: string, at: number): boolean {
  return !/^(?: {2,}|\t|[-*+] |\d{1,9}[.)] |>)/.test(text.slice(at, at + 12));
}

function fenceAfter(line: string, open: string | undefined): string | undefined {
  const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (marker === undefined) return open;
  if (open === undefined) return marker;
  return marker[0] === open[0] && marker.length >= open.length ? undefined : open;
}

/** One line of a megabyte. */
function cutHard(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += 2 * MAX_PIECE) pieces.push(text.slice(at, at + 2 * MAX_PIECE));
  return pieces;
}
