import { EVENT_ID, type Event } from 'js-yaml';
import { composeYaml, parseYamlEvents, parseYamlSyntax, type YamlSyntax } from './syntax.ts';

/** How many characters may be parsed again. */
const MOST_PARSED = 20_000_000;

/**
 * In brackets and in quotes PyYAML and most parsers do not look at indentation, but ours wants those lines deeper than the key before them. It
 * gets a text of the same length without these line breaks. Values are read from the original text.
 */
export function parseUnindented(text: string): YamlSyntax {
  const strict = parseYamlSyntax(text);
  return 'problem' in strict ? (withoutBreaks(text) ?? strict) : strict;
}

function withoutBreaks(text: string): YamlSyntax | undefined {
  let masked = text;
  for (let parsed = 0; parsed <= MOST_PARSED; parsed += text.length) {
    const read = parseYamlEvents(masked);
    if (!('error' in read)) {
      if (read.events.some((event) => hidesComment(event, text, masked))) return undefined;
      const events = read.events.map((event) => folded(event, text));
      return composeYaml(events, text);
    }
    const joined = read.error.reason === 'deficient indentation' && joinLine(masked, read.error.offset);
    if (joined === false || joined === undefined) return undefined;
    masked = joined;
  }
  return undefined;
}

/** The line break before the line at `offset` becomes blanks, and so does the comment before it. */
function joinLine(text: string, offset: number): string | undefined {
  const end = text.lastIndexOf('\n', offset - 1);
  if (end === -1 || /^(?:---|\.\.\.)(?:\s|$)/.test(text.slice(end + 1, end + 5))) return undefined;
  const start = text.lastIndexOf('\n', end - 1) + 1;
  const from = start + endOfCode(text.slice(start, end));
  return text.slice(0, from) + ' '.repeat(end + 1 - from) + text.slice(end + 1);
}

/** Where the comment of a line or its carriage return begins. */
function endOfCode(line: string): number {
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    const before = line[at - 1] ?? ' ';
    if (quote !== '') {
      const isDoubled = quote === "'" && line.startsWith("''", at);
      if (isDoubled || (character === '\\' && quote === '"')) at++;
      else if (character === quote) quote = '';
    } else if (character === '#' && /\s/.test(before)) return at;
    else if (/["']/.test(character) && /[\s,[\]{}:]/.test(before)) quote = character;
  }
  return line.replace(/\r$/, '').length;
}

/** A text cannot go on behind a comment, and what looked like a comment may be in quotes. */
function hidesComment(event: Event, text: string, masked: string): boolean {
  if (event.type !== EVENT_ID.SCALAR) return false;
  for (let at = event.valueStart; at < event.valueEnd; at++)
    if (text[at] !== masked[at] && /\S/.test(text[at]!)) return true;
  return false;
}

/** A text without line breaks is taken as it is. */
function folded(event: Event, text: string): Event {
  return event.type === EVENT_ID.SCALAR &&
    event.fast &&
    text.slice(event.valueStart, event.valueEnd).includes('\n')
    ? { ...event, fast: false }
    : event;
}
