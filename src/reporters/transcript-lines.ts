import picocolors from 'picocolors';
import type { AttemptRecord, StepRecord } from '../model/record.ts';
import type { Colors } from './colors.ts';
import { countLines, firstLines, type ShownLines } from './shown-lines.ts';
import { escapeShortLine } from './terminal-text.ts';

/** What was sent to the agent and what it replied in a step. */
export function transcriptLines(
  { input, output, printed, tools_used }: StepRecord,
  colors: Colors,
): ShownLines {
  const rows = [
    { label: 'input: ', text: input },
    { label: 'output:', text: output },
    { label: 'tools: ', text: tools_used?.length === 0 ? undefined : tools_used?.join(', ') },
    { label: 'printed:', text: printed?.trimEnd() },
  ].flatMap(({ label, text }) => (text === undefined ? [] : [{ label, ...quote(text) }]));
  return {
    lines: rows.map(({ label, quoted }) => `  ${colors.dim(label)} ${quoted}`),
    isCut: rows.some(({ isCut }) => isCut),
  };
}

/** The conversation up to the last step in which something went wrong. */
export function transcriptText({ steps }: AttemptRecord): string {
  const last = steps.findLastIndex(
    ({ assertions, error }) => error !== undefined || assertions.some(({ passed }) => passed !== true),
  );
  const told = last === -1 ? steps : steps.slice(0, last + 1);
  const lines = told.flatMap((step, index) => [
    ...(steps.length > 1 ? [`step ${index + 1}`] : []),
    ...transcriptLines(step, picocolors.createColors(false)).lines,
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

const MAX_QUOTED_LINES = 12;

function quote(text: string): { readonly quoted: string; readonly isCut: boolean } {
  const { lines, isCut } = firstLines(text, MAX_QUOTED_LINES);
  const shown = isCut ? [...lines, `... ${countLines(text) - MAX_QUOTED_LINES} more lines`] : lines;
  return { quoted: shown.map(escapeShortLine).join('\n          '), isCut };
}
