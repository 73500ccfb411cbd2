import type { Json } from '../../src/base/model/json.ts';
import type { AssertionRecord, AttemptRecord, StepRecord } from '../../src/base/model/record.ts';
import { OUTCOME_NAMES } from '../parts/verdict-mark.tsx';
import { hiddenAsText } from '../text/hidden-characters.ts';
import { valueText } from '../text/json/json-text.ts';
import { conversationOf, type Entry } from './conversation.ts';

const MAX_LENGTH = 4000;
const MAX_ENTRIES = 12;

/** A failure for an issue or a chat: what failed, where, expected and actual, what was said, and how to run it again. */
export function failureMarkdown(record: AttemptRecord, rerun: string): string {
  const { test, file, line, target, repeat, verdict, description, error } = record;
  const facts = [`${code(`${file}:${line}`)}`, `agent ${code(target)}`, `repeat ${repeat}`];
  const blocks = [
    `## ${OUTCOME_NAMES[verdict]}: ${inline(test)}`,
    facts.join(' · '),
    ...(description === undefined ? [] : [inline(description)]),
    ...(error === undefined ? [] : [`**${inline(error.kind)} error**`, fence(error.message)]),
    ...record.steps.flatMap((step, index) => stepBlocks(step, index + 1, record.steps.length)),
    ...failing(record.assertions).flatMap(assertionBlocks),
    'Run it again:',
    fence(rerun, 'sh'),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** Steps that went well are left out, except the last one if nothing else is there. */
function stepBlocks(step: StepRecord, number: number, count: number): readonly string[] {
  const bad = failing(step.assertions);
  if (bad.length === 0 && step.error === undefined && count > 1) return [];
  const entries = conversationOf(step, false);
  const shown = entries.slice(-MAX_ENTRIES);
  return [
    `### Step ${number}`,
    ...bad.flatMap(assertionBlocks),
    ...(shown.length < entries.length ? [`… ${entries.length - shown.length} messages before this`] : []),
    ...shown.flatMap(entryBlocks),
  ];
}

function failing(assertions: readonly AssertionRecord[]): readonly AssertionRecord[] {
  return assertions.filter(({ passed }) => passed !== true);
}

function assertionBlocks({
  name,
  message,
  error,
  expected,
  actual,
  file,
  line,
}: AssertionRecord): readonly string[] {
  return [
    `**✗ ${inline(name)}** at ${code(`${file}:${line}`)}: ${inline(error?.message ?? message)}`,
    ...(expected === undefined ? [] : ['Expected:', fence(valueText(expected), languageOf(expected))]),
    ...(actual === undefined ? [] : ['Actual:', fence(valueText(actual), languageOf(actual))]),
  ];
}

function entryBlocks(entry: Entry): readonly string[] {
  if (entry.kind === 'message')
    return [`**${inline(entry.role)}:**`, fence(valueText(entry.content), languageOf(entry.content))];
  const { tool, input, output } = entry.call;
  return [
    `**call ${code(tool)}**`,
    ...(input === undefined ? [] : [fence(valueText(input), languageOf(input))]),
    ...(output === undefined ? [] : ['→', fence(valueText(output), languageOf(output))]),
  ];
}

function languageOf(value: Json): string {
  return typeof value === 'string' ? '' : 'json';
}

/** A block that its text cannot end: its fence is longer than any in the text. */
function fence(text: string, language = ''): string {
  const cut =
    text.length > MAX_LENGTH
      ? `${text.slice(0, MAX_LENGTH)}\n… ${text.length - MAX_LENGTH} more characters`
      : text;
  const safe = hiddenAsText(cut);
  const longest = Math.max(2, ...[...safe.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${safe}\n${marks}`;
}

/** One line of code that its text cannot end. */
function code(text: string): string {
  const safe = oneLine(text);
  const longest = Math.max(0, ...[...safe.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return longest === 0 ? `${marks}${safe}${marks}` : `${marks} ${safe} ${marks}`;
}

/** Words in a line, without any meaning in Markdown or HTML: no link, no name that is called. */
function inline(text: string): string {
  return oneLine(text)
    .slice(0, 1000)
    .replaceAll(/[\\`*_{}[\]()<>#+!|~&@$:]/g, String.raw`\$&`)
    .replaceAll(/www\./gi, String.raw`www\.`);
}

function oneLine(text: string): string {
  return hiddenAsText(text).replaceAll(/\s+/g, ' ').trim();
}
