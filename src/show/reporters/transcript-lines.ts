import picocolors from 'picocolors';
import { approvalWords } from '../../base/model/approval-words.ts';
import { messageText } from '../../base/model/content-text.ts';
import type { Json } from '../../base/model/json.ts';
import { printSpaced } from '../../base/model/print-spaced.ts';
import type { AttemptRecord, StepRecord } from '../../base/model/record.ts';
import type { Colors } from './colors.ts';
import { outputExcerpt } from './output-excerpt.ts';
import type { ShownLines } from './shown-lines.ts';
import { callLines, memoryChanges } from './step-effects.ts';
import { escapeShortLine } from './terminal-text.ts';

interface TranscriptContext {
  readonly colors: Colors;
  /** What was expected of the output: a long one is cut around it. */
  readonly expected?: readonly Json[];
  /** The output was shown before. */
  readonly isAbove?: boolean;
  /** A failed assertion is about memory: that it did not change matters too. */
  readonly isAboutMemory?: boolean;
  /** With every message that was sent and that came back. */
  readonly hasMessages?: boolean | undefined;
}

/** What was sent to the agent and what it replied in a step. */
export function transcriptLines(
  step: StepRecord,
  { colors, expected = [], isAbove = false, isAboutMemory = false, hasMessages = false }: TranscriptContext,
): ShownLines {
  const { input, output, printed } = step;
  const rows = [
    ...(hasMessages ? messageRows(step) : [quote('input: ', input, [])]),
    ...(isAbove
      ? [{ label: 'output:', lines: ['shown above'], isCut: false }]
      : [quote('output:', output, expected)]),
    labelled('tools: ', callLines(step)),
    labelled('asked: ', approvalLines(step)),
    labelled('memory:', memoryChanges(step) ?? (isAboutMemory ? unchanged(step) : undefined)),
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

/** What was sent, and what the agent reported beside its answer; one plain message is just the input. */
function messageRows({
  input,
  input_messages,
  output_messages = [],
}: StepRecord): readonly (Row | undefined)[] {
  const isPlain = input_messages.length === 1 && input_messages[0]!.role === 'user';
  const said = output_messages.length > 1 ? output_messages : [];
  return [
    ...(isPlain
      ? [quote('input: ', input, [])]
      : input_messages.map((message) => quote(`sent ${message.role}:`, messageText(message, 'named'), []))),
    ...said.map((message) => quote(`got ${message.role}:`, messageText(message, 'named'), [])),
  ];
}

function approvalLines({ approvals_asked = [] }: StepRecord): ShownLines | undefined {
  if (approvals_asked.length === 0) return undefined;
  return { lines: approvals_asked.map((each) => escapeShortLine(approvalWords(each))), isCut: false };
}

function unchanged({ memory_before }: StepRecord): ShownLines {
  return { lines: [`${escapeShortLine(printSpaced(memory_before))} (unchanged)`], isCut: false };
}

type Row = ShownLines & { readonly label: string };

function labelled(label: string, shown: ShownLines | undefined): Row | undefined {
  return shown === undefined ? undefined : { label, ...shown };
}

function quote(label: string, text: string | undefined, expected: readonly Json[]): Row | undefined {
  return text === undefined ? undefined : { label, ...outputExcerpt(text, expected) };
}
