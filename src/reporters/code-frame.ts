import type { Colors } from './colors.ts';
import { displayWidth, escapeForTerminal } from './terminal-text.ts';

/** Lines of a file around a place. */
export interface Excerpt {
  /** The number of the first line. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

interface FramePlace {
  readonly line: number;
  readonly column: number;
}

const MAX_WIDTH = 100;

/** The lines around a place, with a caret under it. */
export function codeFrame({ firstLine, lines }: Excerpt, place: FramePlace, colors: Colors): string {
  const gutter = String(firstLine + lines.length - 1).length;
  return lines
    .flatMap((text, index) => {
      const number = firstLine + index;
      const isPlace = number === place.line;
      const window = cutAround(text, isPlace ? place.column : 1);
      const head = `${isPlace ? colors.red('>') : ' '} ${colors.dim(`${String(number).padStart(gutter)} |`)} `;
      const shown = [head + window.text];
      if (isPlace) shown.push(`  ${' '.repeat(gutter)} ${colors.dim('|')} ${' '.repeat(window.caret)}${colors.red('^'.repeat(window.length))}`);
      return shown;
    })
    .join('\n');
}

/** A long line (a dataset's, say) is cut to the part around the place. */
function cutAround(line: string, column: number): { readonly text: string; readonly caret: number; readonly length: number } {
  const characters = [...line];
  const target = Math.min(Math.max(column - 1, 0), characters.length);
  const from = characters.length <= MAX_WIDTH ? 0 : Math.max(0, Math.min(target - 30, characters.length - MAX_WIDTH));
  const to = Math.min(characters.length, from + MAX_WIDTH);
  const show = (start: number, end: number): string => escapeForTerminal(characters.slice(start, end).join('')).replaceAll('\t', '→');
  const before = (from > 0 ? '…' : '') + show(from, target);
  const word = /^[\w.$-]+/.exec(characters.slice(target, to).join(''))?.[0].length ?? 1;
  return {
    text: before + show(target, to) + (to < characters.length ? '…' : ''),
    caret: displayWidth(before),
    length: Math.max(1, Math.min(word, to - target)),
  };
}
