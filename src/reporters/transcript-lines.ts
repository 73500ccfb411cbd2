import picocolors from 'picocolors';
import type { AttemptRecord, StepRecord } from '../model/record.ts';
import type { Colors } from './colors.ts';
import { escapeShortLine } from './terminal-text.ts';

/** What the agent was told and said in a step. */
export function transcriptLines(
  { input, output, printed, tools_used }: StepRecord,
  colors: Colors,
): readonly string[] {
  const rows = [`  ${colors.dim('input: ')} ${quote(input)}`];
  if (output !== undefined) rows.push(`  ${colors.dim('output:')} ${quote(output)}`);
  if (tools_used !== undefined && tools_used.length > 0)
    rows.push(`  ${colors.dim('tools: ')} ${quote(tools_used.join(', '))}`);
  if (printed !== undefined) rows.push(`  ${colors.dim('printed:')} ${quote(printed.trimEnd())}`);
  return rows;
}

/** The conversation up to the last step in which something went wrong. */
export function transcriptText({ steps }: AttemptRecord): string {
  const last = steps.findLastIndex(
    ({ assertions, error }) => error !== undefined || assertions.some(({ passed }) => passed !== true),
  );
  const told = last === -1 ? steps : steps.slice(0, last + 1);
  const lines = told.flatMap((step, index) => [
    ...(steps.length > 1 ? [`step ${index + 1}`] : []),
    ...transcriptLines(step, picocolors.createColors(false)),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

const MAX_QUOTED_LINES = 12;

function quote(text: string): string {
  const lines = text.split('\n').map((line) => (line.length <= 300 ? line : `${line.slice(0, 299)}…`));
  const shown =
    lines.length > MAX_QUOTED_LINES
      ? [...lines.slice(0, MAX_QUOTED_LINES), `... ${lines.length - MAX_QUOTED_LINES} more lines`]
      : lines;
  return shown.map(escapeShortLine).join('\n          ');
}
