/** A piece of Markdown is read and laid out at once; more of it would block the page. Lines count as well as characters. */
const PIECE = 6000;
const MAX_PIECE = 12_000;
const LINE = 20;

/** A long text in pieces that can be read one by one: they end at an empty line, and not inside of a block of code. */
export function splitMarkdown(text: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  let weight = 0;
  let at = 0;
  let prefix = '';
  let fence: string | undefined;
  while (at < text.length) {
    const found = text.indexOf('\n', at);
    const end = found === -1 ? text.length : found + 1;
    const line = text.slice(at, Math.min(end, at + 200));
    weight += end - at + LINE;
    fence = fenceAfter(line, fence);
    const isBreak = fence === undefined && line.trim() === '' && isTopLevel(text, end);
    if (weight >= PIECE && (isBreak || weight >= MAX_PIECE)) {
      pieces.push(...cutHard(prefix + text.slice(start, end)));
      weight = 0;
      start = end;
      // Code that is cut goes on as code.
      prefix = fence === undefined ? '' : `${fence}\n`;
    }
    at = end;
  }
  if (start < text.length) pieces.push(...cutHard(prefix + text.slice(start)));
  return pieces;
}

/** The next line does not continue a list or a quote. */
function isTopLevel(text: string, at: number): boolean {
  return !/^(?: {2,}|\t|[-*+] |\d{1,9}[.)] |>)/.test(text.slice(at, at + 12));
}

/** The line that opened the block of code in which the next line stands. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const marker = markerOf(line);
  if (marker === undefined) return open;
  if (open === undefined) return line.trim();
  const opening = markerOf(open)!;
  return marker[0] === opening[0] && marker.length >= opening.length ? undefined : open;
}

function markerOf(line: string): string | undefined {
  return /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
}

/** One line of a megabyte. */
function cutHard(text: string): readonly string[] {
  if (text.length <= MAX_PIECE) return [text];
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += PIECE) pieces.push(text.slice(at, at + PIECE));
  return pieces;
}
