import picocolors from 'picocolors';
import type { Json } from '../model/json.ts';
import type { AttemptRecord, StepRecord } from '../model/record.ts';
import type { Colors } from './colors.ts';
import { outputExcerpt } from './output-excerpt.ts';
import type { ShownLines } from './shown-lines.ts';

interface TranscriptContext {
  readonly colors: Colors;
  /** What was expected of the output: a long one is cut around it. */
  readonly expected?: readonly Json[];
  /** The output was shown before. */
  readonly isAbove?: boolean;
}

/** What was sent to the agent and what it replied in a step. */
export function transcriptLines(
  { input, output, printed, tools_used }: StepRecord,
  { colors, expected = [], isAbove = false }: TranscriptContext,
): ShownLines {
  const tools = tools_used?.length === 0 ? undefined : tools_used?.join(', ');
  const rows = [
    quote('input: ', input, []),
    ...(isAbove
      ? [{ label: 'output:', lines: ['shown above'], isCut: false }]
      : [quote('output:', output, expected)]),
    quote('tools: ', tools, []),
    quote('printed:', printed?.trimEnd(), []),
  ].flatMap((row) => row ?? []);
  return {
    lines: rows.map(
      ({ label, lines }) => `  ${colors.dim(label)} ${lines.join(`\n${' '.repeat(label.length + 3)}`)}`,
    ),
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
    ...transcriptLines(step, { colors: picocolors.createColors(false) }).lines,
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

function quote(
  label: string,
  text: string | undefined,
  expected: readonly Json[],
): (ShownLines & { readonly label: string }) | undefined {
  return text === undefined ? undefined : { label, ...outputExcerpt(text, expected) };
}
