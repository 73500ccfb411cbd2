import type { Json } from '../model/json.ts';
import { printJson } from '../model/print-json.ts';
import type { Colors } from './colors.ts';
import { escapeShortLine } from './terminal-text.ts';

const MAX_LINES = 60;

/** Expected against actual: side by side on two lines when each is one line, else as a diff of lines. */
export async function valueDiff(expected: Json, actual: Json, colors: Colors): Promise<readonly string[]> {
  const left = linesOf(expected);
  const right = linesOf(actual);
  if (left.length === 1 && right.length === 1) {
    return [
      `${colors.green('- expected')}  ${escapeShortLine(left[0]!)}`,
      `${colors.red('+ actual')}    ${escapeShortLine(right[0]!)}`,
    ];
  }
  const { diffArrays } = await import('diff');
  const parts = diffArrays([...left], [...right], { timeout: 100 }) ?? [
    { removed: true, added: false, value: left },
    { removed: false, added: true, value: right },
  ];
  const lines = parts.flatMap(({ added, removed, value }) =>
    value.map((line) => {
      const text = escapeShortLine(line);
      if (added) return colors.red(`+ ${text}`);
      return removed ? colors.green(`- ${text}`) : `  ${text}`;
    }),
  );
  const cut =
    lines.length > MAX_LINES
      ? [...lines.slice(0, MAX_LINES), colors.dim(`  ... ${lines.length - MAX_LINES} more lines`)]
      : lines;
  return [`${colors.green('- expected')}  ${colors.red('+ actual')}`, ...cut];
}

function linesOf(value: Json): readonly string[] {
  if (typeof value === 'string' && value.includes('\n')) return value.split('\n');
  const inline = printJson(value);
  return inline.length <= 100 ? [inline] : printJson(value, '  ').split('\n');
}
