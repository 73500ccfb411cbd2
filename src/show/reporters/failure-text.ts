import {
  assertionLabel,
  problemMessage,
  isOwnAssertion,
  problemPlace,
  scoreProblem,
} from '../../base/model/all-problems.ts';
import { comparesOutput, countLines } from '../../base/model/compares-output.ts';
import { expectedWords } from '../../base/model/expected-words.ts';
import { groupBy } from '../../base/model/group-by.ts';
import { isJsonObject, type Json } from '../../base/model/json.ts';
import type { Place } from '../../base/model/place.ts';
import { printSpaced } from '../../base/model/print-spaced.ts';
import type { AssertionRecord, AttemptRecord, StepRecord } from '../../base/model/record.ts';
import { sharedFrame, type Excerpt } from './code-frame.ts';
import type { Colors } from './colors.ts';
import { callDiff } from './call-diff.ts';
import { scoreLines } from './score-lines.ts';
import { firstLines, type ShownLines } from './shown-lines.ts';
import { escapeLine, escapeShortLine } from './terminal-text.ts';
import { transcriptLines } from './transcript-lines.ts';
import { expectedLines, valueDiff } from './value-diff.ts';
import { grouped } from '../../base/model/grouped.ts';
import { workspaceLines } from './workspace-lines.ts';

export interface FailureContext {
  readonly colors: Colors;
  /** The lines of a file around a place; undefined if it cannot be read. */
  readonly excerptAt: (place: { readonly file: string; readonly line: number }) => Excerpt | undefined;
  /** The run has several targets: a failure says whose it is. */
  readonly namesTarget?: boolean | undefined;
  /** The command that runs only this test again. */
  readonly rerun: (record: AttemptRecord) => string | undefined;
  /** The command that shows what is cut here; undefined if nothing was recorded. */
  readonly whole?: string | undefined;
  /** `--verbose`: with the messages that were sent. */
  readonly isVerbose?: boolean | undefined;
}

/** The limit for one failure: the rest is cut, with a note. Reports keep it until their end. */
const MAX_CHARACTERS = 60_000;
/** The limit for one message. */
const MAX_MESSAGE_LINES = 40;
const MAX_MESSAGE_LINE = 2000;

/** The name of a test that did not pass, and what it is about. */
export function failureTitle(
  { test, description, target }: AttemptRecord,
  { colors, namesTarget }: Pick<FailureContext, 'colors' | 'namesTarget'>,
): string {
  const about = description === undefined ? '' : ` ${escapeShortLine(description)}`;
  const by = namesTarget === true ? ` [${escapeShortLine(target)}]` : '';
  return `${colors.bold(escapeShortLine(test))}${by}${about}`;
}

/** Everything about a test that did not pass: where, what was expected, what came, and how to run it again. */
export async function failureBody(record: AttemptRecord, context: FailureContext): Promise<string> {
  const { colors } = context;
  const body = new Body();
  if (record.row !== undefined) body.add(`  ${colors.dim('row:')} ${rowPlace(record.row)}`);
  for (const [index, step] of record.steps.entries())
    if (!body.isFull) await addStep(body, step, { ...context, index, record });
  await addWholeTest(body, record, context);
  const isErrorShown =
    [record, ...record.steps].some(hasAssertionError) ||
    record.steps.some((step) => step.error !== undefined);
  if (record.error !== undefined && !isErrorShown) {
    body.add('', ...frame([record], context));
    body.message(colors.yellow(`${record.error.kind} error:`), record.error.message);
  }
  const reason = scoreProblem(record);
  if (reason !== undefined) {
    body.add('', ...frame([reason], context));
    body.message(colors.red(`${reason.name}:`), reason.message);
  }
  if (record.verdict === 'failed') {
    const scores = scoreLines(record, colors);
    if (scores.length > 0) body.add('', ...scores);
  }
  if (record.workspace !== undefined) body.add('', ...workspaceLines(record, colors));
  const rerun = context.rerun(record);
  const last = rerun === undefined ? [] : [`  ${colors.dim('rerun:')} ${rerun}`];
  if (body.isCut && context.whole !== undefined) last.push(`  ${colors.dim('whole:')} ${context.whole}`);
  return `${[...body.lines, ...(last.length === 0 ? last : ['', ...last])].join('\n')}\n`;
}

/** Where the row of a test with `each` is. */
export function rowPlace({ file, line }: NonNullable<AttemptRecord['row']>): string {
  return `${escapeLine(file)}:${line}`;
}

/** Lines with at most this many characters in total. */
class Body {
  readonly lines: string[] = [];
  isCut = false;
  isFull = false;
  private room = MAX_CHARACTERS;

  add(...lines: readonly string[]): void {
    for (const line of lines) {
      if (this.isFull) return;
      this.room -= line.length + 1;
      if (this.room < 0) this.fill();
      else this.lines.push(line);
    }
  }

  show({ lines, isCut }: ShownLines, indent = ''): void {
    this.add(...lines.map((line) => indent + line));
    this.isCut ||= isCut;
  }

  message(label: string, text: string): void {
    const { lines, length } = messageLines(text);
    this.add(`  ${label} ${lines.map(escapeLine).join('\n    ')}`);
    if (length === text.length) return;
    this.add(`    ... ${grouped(text.length - length)} more characters`);
    this.isCut = true;
  }

  private fill(): void {
    this.lines.push('', '  ... cut here: there is more');
    this.isFull = this.isCut = true;
  }
}

/** The beginning of a message, and its length. */
function messageLines(text: string): { readonly lines: readonly string[]; readonly length: number } {
  const { lines, isCut } = firstLines(text, MAX_MESSAGE_LINES);
  const long = lines.findIndex((line) => line.length > MAX_MESSAGE_LINE);
  const whole = long === -1 ? lines : lines.slice(0, long);
  const begun = long === -1 ? [] : [lines[long]!.slice(0, MAX_MESSAGE_LINE).replace(/[\ud800-\udbff]$/, '')];
  const shown = [...whole, ...begun];
  const length = shown.join('\n').length;
  return { lines: shown, length: long === -1 && !isCut ? text.length : length };
}

interface StepContext extends FailureContext {
  readonly index: number;
  readonly record: AttemptRecord;
}

async function addStep(body: Body, step: StepRecord, context: StepContext): Promise<void> {
  const { colors, index, record } = context;
  const bad = step.assertions.filter(({ passed }) => passed !== true);
  if (bad.length === 0 && step.error === undefined) return;
  if (record.steps.length > 1 || index > 0) body.add('', `  ${colors.cyan(`step ${index + 1}`)}`);
  await addAssertions(body, bad, { ...context, output: step.output });
  if (step.error !== undefined) {
    body.add('', ...frame([{ file: record.file, line: step.line, column: step.column ?? 1 }], context));
    body.message(colors.yellow(`${step.error.kind} error:`), step.error.message);
  }
  body.add('');
  body.show(transcriptLines(step, { ...outputShown(bad, step.output), ...transcriptOptions(bad, context) }));
}

function transcriptOptions(
  bad: readonly AssertionRecord[],
  { colors, isVerbose }: FailureContext,
): Pick<Parameters<typeof transcriptLines>[1], 'colors' | 'isAboutMemory' | 'hasMessages'> {
  return {
    colors,
    isAboutMemory: bad.some(({ kind }) => kind === 'memory'),
    hasMessages: isVerbose,
  };
}

/** Assertions about the whole test. They read the last output, which the last step shows only if it failed. */
async function addWholeTest(body: Body, record: AttemptRecord, context: FailureContext): Promise<void> {
  const bad = record.assertions.filter(({ passed }) => passed !== true);
  if (bad.length === 0) return;
  const { colors } = context;
  const last = record.steps.at(-1);
  body.add('', `  ${colors.cyan('whole test')}`);
  await addAssertions(body, bad, { ...context, record, output: last?.output });
  const isShown = last === undefined || last.error !== undefined || last.assertions.some(isBad);
  if (isShown || !bad.some((assertion) => comparesOutput(assertion, last.output) === 'below')) return;
  body.add('');
  body.show(transcriptLines(last, { ...outputShown(bad, last.output), ...transcriptOptions(bad, context) }));
}

function isBad({ passed }: AssertionRecord): boolean {
  return passed !== true;
}

/** What the transcript shows of an output: what the failed assertions are about, or nothing that a diff shows. */
function outputShown(
  bad: readonly AssertionRecord[],
  output: string | undefined,
): { readonly expected: readonly Json[]; readonly isAbove: boolean } {
  const ways = new Set(bad.map((assertion) => comparesOutput(assertion, output)));
  return {
    expected: bad.flatMap(({ expected }) => (expected === undefined ? [] : [expected])),
    isAbove: ways.has('diff') && !ways.has('below'),
  };
}

interface AssertionContext extends FailureContext {
  readonly record: AttemptRecord;
  /** What the agent said in the step. */
  readonly output: string | undefined;
}

/** Those of one file share a code frame. */
async function addAssertions(
  body: Body,
  bad: readonly AssertionRecord[],
  context: AssertionContext,
): Promise<void> {
  const { record } = context;
  for (const group of groupBy(bad, (assertion) => problemPlace(assertion, record).file).values()) {
    body.add(
      '',
      ...frame(
        group.map((assertion) => problemPlace(assertion, record)),
        context,
      ),
    );
    for (const assertion of group) await addAssertion(body, assertion, context);
  }
}

async function addAssertion(
  body: Body,
  assertion: AssertionRecord,
  context: AssertionContext,
): Promise<void> {
  if (body.isFull) return;
  const { colors, record } = context;
  const { error, expected, actual } = assertion;
  const paint = error === undefined ? colors.red : colors.yellow;
  const { file, line } = assertion;
  const shared = isOwnAssertion(assertion, record) ? '' : colors.dim(` (${escapeLine(file)}:${line})`);
  const message = problemMessage(assertion, record);
  body.message(`${paint(escapeShortLine(assertionLabel(assertion)))}${shared}:`, message);
  if (error !== undefined || expected === undefined || actual === undefined) return;
  if (isExplained(expected, actual, message)) return;
  if (comparesOutput(assertion, context.output) === 'below') {
    // The message has what was expected, and the transcript the output.
    if (isIn(message, expected)) return;
    const size = sizeOf(context.output!);
    body.show(expectedLines(expected, colors), '    ');
    body.add(`    ${colors.red('+ actual')}    ${colors.dim(`the output below (${size})`)}`);
    return;
  }
  body.show((await callDiff(assertion, colors)) ?? (await valueDiff(expected, actual, colors)), '    ');
}

/** Whether nothing is left to compare: the message has both values, or each part of them that differs. */
function isExplained(expected: Json, actual: Json, message: string): boolean {
  if (isJsonObject(expected) && !Array.isArray(actual)) {
    // A rule or a schema is not compared line by line with a text.
    if (!isJsonObject(actual)) return true;
    const isShort = [expected, actual].every((value) => printSpaced(value).length <= LONGEST_EXPLAINED);
    return isShort && !/; and \d+ more$/.test(message);
  }
  const words = expectedWords(expected);
  return (words === undefined ? isIn(message, expected) : message.includes(words)) && isIn(message, actual);
}

const LONGEST_EXPLAINED = 120;

function isIn(message: string, value: Json): boolean {
  if (typeof value === 'boolean') return true;
  const text = printSpaced(value);
  return text.length < MAX_MESSAGE_LINE && message.includes(text);
}

function sizeOf(text: string): string {
  const lines = countLines(text);
  return lines > 1 ? `${grouped(lines)} lines` : `${grouped(text.length)} characters`;
}

/** The lines around places of one file, below the first of them. */
function frame(places: readonly Place[], { colors, excerptAt }: FailureContext): readonly string[] {
  const [{ file, line, column }] = places as readonly [Place];
  const framed = places.flatMap((place) => {
    const excerpt = excerptAt(place);
    return excerpt === undefined ? [] : [{ excerpt, place: { ...place, isValue: true } }];
  });
  const lines = framed.length === 0 ? [] : sharedFrame(framed, colors).split('\n');
  return [`  ${colors.cyan(`${escapeLine(file)}:${line}:${column}`)}`, ...lines.map((text) => `  ${text}`)];
}

function hasAssertionError({ assertions }: Pick<StepRecord, 'assertions'>): boolean {
  return assertions.some(({ error }) => error !== undefined);
}
