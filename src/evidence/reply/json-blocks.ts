import type { JsonObject } from '../../base/model/json.ts';
import { AgentError } from './agent-error.ts';
import { parseReplyText } from './parse-reply-text.ts';
import { scanJson } from '../../base/match/scan-json.ts';

/** Part of a text that is, or starts like, a JSON object or list, alone on its line or over several lines. */
export interface JsonBlock {
  /** `inline`: a complete one, with other text after it on its line. */
  readonly kind: 'object' | 'list' | 'inline' | 'broken_off' | 'invalid';
  readonly start: number;
  readonly end: number;
  /** Of an object. */
  readonly value?: JsonObject | undefined;
}

/** Checks every line that starts with a bracket. The inside of a block is not checked again. */
export function findJsonBlocks(text: string): readonly JsonBlock[] {
  const blocks: JsonBlock[] = [];
  const lastClosing = text.lastIndexOf('}');
  let budget = SCAN_FACTOR * text.length + 1000;
  for (let start = nextBracket(text, 0, LINE_START); start !== undefined;) {
    const block = blockAt(text, start, lastClosing);
    budget -= block.end - start;
    if (budget < 0) throw new AgentError('limit', 'what the agent printed has too many brackets to read');
    blocks.push(block);
    const from = block.kind === 'invalid' ? start + 1 : block.end;
    start = nextBracket(text, from, OBJECT_BEHIND) ?? nextBracket(text, from, LINE_START);
  }
  return blocks;
}

function nextBracket(text: string, from: number, pattern: RegExp): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex - 1 : undefined;
}

/** Every line may be scanned to the end of the text before it turns out not to be JSON. */
const SCAN_FACTOR = 50;

const LINE_START = /(?<=^|[\n\r])[^\S\n\r]*[{[]/g;
/** Objects printed one after the other, without a line break. */
const OBJECT_BEHIND = /(?<=\})[^\S\n\r]*\{/y;
const OBJECT_START = /^\{\s*"/;
const REST_OF_LINE = /[^\S\n\r]*(?=[\n\r{]|$)/y;

function blockAt(text: string, start: number, lastClosing: number): JsonBlock {
  const { kind, end } = scanJson(text, start);
  if (kind === 'broken_off') return { kind, start, end };
  if (kind === 'invalid') {
    // Half an object may be followed by other lines.
    const isHalf = OBJECT_START.test(text.slice(start, end + 1)) && start > lastClosing;
    return { kind: isHalf ? 'broken_off' : kind, start, end: lineEnd(text, end) };
  }
  REST_OF_LINE.lastIndex = end;
  if (!REST_OF_LINE.test(text)) return { kind: 'inline', start, end: lineEnd(text, end) };
  if (text.charAt(start) === '[') return { kind: 'list', start, end };
  const value = parseReplyText(text.slice(start, end));
  return { kind: value === undefined ? 'invalid' : 'object', start, end, value };
}

function lineEnd(text: string, from: number): number {
  LINE_END.lastIndex = from;
  return LINE_END.exec(text)?.index ?? text.length;
}

const LINE_END = /[\n\r]/g;
