import { findFolded, foldText, type TextRange } from './fold-text.ts';
import type { Json } from './json.ts';
import type { AttemptRecord, StepRecord } from './record.ts';
import type { RecordedToolCall } from './reply.ts';

/** A text of a record that a search looks through, and what it is, for people. */
interface SearchText {
  readonly where: string;
  readonly text: string;
}

/** The beginning of what was found, and where the words are in it. */
export interface Snippet {
  readonly where: string;
  readonly text: string;
  readonly marks: readonly TextRange[];
}

/** In no text, so nothing is found across two texts. */
const SEPARATOR = '\u0000\u0001';
const BEFORE = 40;
const SNIPPET = 200;

/** All texts of a record in one, as a search compares it. */
export function foldRecord(record: Pick<AttemptRecord, 'steps'>): string {
  return foldText(
    searchTexts(record)
      .map(({ text }) => text)
      .join(SEPARATOR),
  );
}

/** The inputs, outputs, tool calls and results of a record, each once. */
function searchTexts({ steps }: Pick<AttemptRecord, 'steps'>): readonly SearchText[] {
  const found = new Map<string, string>();
  const add = (where: string, value: Json | undefined): void => {
    if (value === undefined || value === null || value === '') return;
    const text = typeof value === 'string' ? value : plainJson(value);
    if (!found.has(text)) found.set(text, where);
  };
  for (const step of steps) addStep(step, add);
  return [...found].map(([text, where]) => ({ text, where }));
}

function addStep(step: StepRecord, add: (where: string, value: Json | undefined) => void): void {
  const { input, input_messages, output, output_messages = [], tool_calls = [] } = step;
  add('Input', input);
  for (const message of input_messages) add('Input', contentOf(message['content']));
  add('Output', output);
  const addCall = ({ tool, input: given, output: result }: RecordedToolCall): void => {
    add('Call', tool);
    add(`Arguments of ${tool}`, given);
    add(`Result of ${tool}`, result);
  };
  for (const call of tool_calls) addCall(call);
  for (const message of output_messages) {
    add(message.role === 'tool' ? 'Result' : 'Output', contentOf(message['content']));
    const calls = message['tool_calls'];
    if (Array.isArray(calls) && tool_calls.length === 0) add('Call', calls as Json);
  }
  for (const call of [...(step.unreported_calls ?? []), ...(step.observed_calls ?? [])]) addCall(call);
}

/** The texts of a message in parts. Other parts, such as images, are not searched. */
function contentOf(content: unknown): Json | undefined {
  if (!Array.isArray(content)) return content as Json | undefined;
  const texts = content.flatMap((part: unknown) => {
    const text = (part as { readonly text?: unknown } | null)?.text;
    return typeof text === 'string' ? [text] : [];
  });
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** As the page shows it, but with nothing escaped: a search for `say "hi"` finds it inside a string. */
function plainJson(value: Json): string {
  if (typeof value === 'string') return `"${value}"`;
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(plainJson).join(', ')} ]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([key, one]) => `"${key}": ${plainJson(one as Json)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** The text with most of the words in it, cut to where the first one is. Undefined if none is in any text. */
export function snippetOf(
  record: Pick<AttemptRecord, 'steps'>,
  words: readonly string[],
): Snippet | undefined {
  const folded = words.map(foldText);
  let best: SearchText | undefined;
  let most = 0;
  for (const one of searchTexts(record)) {
    const text = foldText(one.text);
    const count = folded.filter((word) => text.includes(word)).length;
    // People look for what was answered more often than for what they asked.
    if (count > most || (count > 0 && count === most && best?.where === 'Input' && one.where !== 'Input'))
      [best, most] = [one, count];
  }
  return best === undefined ? undefined : cutSnippet(best, words);
}

function cutSnippet({ where, text }: SearchText, words: readonly string[]): Snippet {
  const [first = [0, 0] as const] = findFolded(text, words);
  const start = wordStart(text, Math.max(0, first[0] - BEFORE), first[0]);
  const end = Math.min(text.length, start + SNIPPET);
  const line = withoutHalves(text.slice(start, end)).replaceAll(/\s+/g, ' ');
  const shown = `${start > 0 ? '…' : ''}${line}${end < text.length ? '…' : ''}`;
  return { where, text: shown, marks: findFolded(shown, words) };
}

/** After the first space from there on, if there is one before the word. */
function wordStart(text: string, from: number, word: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, word).search(/\s/);
  return space === -1 ? from : from + space + 1;
}

function withoutHalves(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '');
}
