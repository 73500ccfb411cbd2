import type { AssertionRecord, AttemptRecord, StepRecord } from '../model/record.ts';
import { codeFrame, type Excerpt } from './code-frame.ts';
import type { TestSummary } from '../model/summary.ts';
import type { Colors } from './colors.ts';
import type { ShownFailure } from './failure-list.ts';
import { escapeLine, escapeShortLine } from './terminal-text.ts';
import { transcriptLines } from './transcript-lines.ts';
import { valueDiff } from './value-diff.ts';

export interface FailureContext {
  readonly colors: Colors;
  /** The lines of a file around a place; undefined when it cannot be read. */
  readonly excerptAt: (place: { readonly file: string; readonly line: number }) => Excerpt | undefined;
  /** The command that runs just this test again. */
  readonly rerun: (record: AttemptRecord) => string;
}

/** Everything about a test that did not pass: where, what was expected, what came, and how to run it again. */
export async function failureText({ record, test }: ShownFailure, context: FailureContext): Promise<string> {
  const { colors } = context;
  const label = labelOf(record, test, colors);
  const description = record.description === undefined ? '' : ` ${escapeShortLine(record.description)}`;
  const title = `${label} ${colors.bold(escapeShortLine(record.test))}${description}`;
  const lines = [title, ...repeatLines(record, test, colors)];
  for (const [index, step] of record.steps.entries())
    lines.push(...(await stepLines(step, { ...context, index, record })));
  const whole = record.assertions.filter(({ passed }) => passed !== true);
  if (whole.length > 0) lines.push('', `  ${colors.cyan('whole test')}`);
  for (const assertion of whole) lines.push(...(await assertionLines(assertion, context)));
  const isErrorShown =
    [record, ...record.steps].some(hasAssertionError) ||
    record.steps.some((step) => step.error !== undefined);
  if (record.error !== undefined && !isErrorShown) {
    lines.push(
      '',
      ...frame(record, context),
      `  ${colors.yellow(`${record.error.kind} error:`)} ${indent(record.error.message)}`,
    );
  }
  lines.push('', `  ${colors.dim('rerun:')} ${context.rerun(record)}`);
  return `${lines.join('\n')}\n`;
}

function labelOf({ verdict }: AttemptRecord, test: TestSummary | undefined, colors: Colors): string {
  if (verdict === 'error') return colors.yellow(colors.bold('ERROR'));
  return test?.verdict === 'error'
    ? colors.yellow(colors.bold('UNDECIDED'))
    : colors.red(colors.bold('FAIL'));
}

/** A test that was repeated: how often it passed, and which attempt this is. */
function repeatLines(
  { repeat }: AttemptRecord,
  test: TestSummary | undefined,
  colors: Colors,
): readonly string[] {
  if (test === undefined || test.attempts < 2) return [];
  const { passed, failed, error, attempts } = test;
  const errors = error === 0 ? '' : `, ${error} could not be measured`;
  const passes = `passed ${passed} of ${passed + failed}${errors}`;
  return [colors.dim(`  ${passes}; attempt ${repeat} of ${attempts}:`)];
}

interface StepContext extends FailureContext {
  readonly index: number;
  readonly record: AttemptRecord;
}

async function stepLines(step: StepRecord, context: StepContext): Promise<readonly string[]> {
  const { colors, index, record } = context;
  const bad = step.assertions.filter(({ passed }) => passed !== true);
  if (bad.length === 0 && step.error === undefined) return [];
  const lines: string[] = [];
  if (record.steps.length > 1 || index > 0) lines.push('', `  ${colors.cyan(`step ${index + 1}`)}`);
  for (const assertion of bad) lines.push(...(await assertionLines(assertion, context)));
  if (step.error !== undefined) {
    lines.push(
      '',
      ...frame({ file: record.file, line: step.line, column: 1 }, context),
      `  ${colors.yellow(`${step.error.kind} error:`)} ${indent(step.error.message)}`,
    );
  }
  lines.push('', ...transcriptLines(step, colors));
  return lines;
}

async function assertionLines(
  assertion: AssertionRecord,
  context: FailureContext,
): Promise<readonly string[]> {
  const { colors } = context;
  const lines = ['', ...frame(assertion, context)];
  if (assertion.error !== undefined)
    return [
      ...lines,
      `  ${colors.yellow(escapeShortLine(assertion.name))}: ${indent(assertion.error.message)}`,
    ];
  lines.push(`  ${colors.red(escapeShortLine(assertion.name))}: ${indent(assertion.message)}`);
  if (assertion.expected !== undefined && assertion.actual !== undefined) {
    lines.push(
      ...(await valueDiff(assertion.expected, assertion.actual, colors)).map((line) => `    ${line}`),
    );
  }
  return lines;
}

function frame(
  place: { readonly file: string; readonly line: number; readonly column: number },
  { colors, excerptAt }: FailureContext,
): readonly string[] {
  const where = `  ${colors.cyan(`${escapeLine(place.file)}:${place.line}:${place.column}`)}`;
  const excerpt = excerptAt(place);
  return excerpt === undefined
    ? [where]
    : [
        where,
        ...codeFrame(excerpt, place, colors)
          .split('\n')
          .map((line) => `  ${line}`),
      ];
}

function indent(text: string): string {
  return text.split('\n').map(escapeLine).join('\n    ');
}

function hasAssertionError({ assertions }: Pick<StepRecord, 'assertions'>): boolean {
  return assertions.some(({ error }) => error !== undefined);
}
