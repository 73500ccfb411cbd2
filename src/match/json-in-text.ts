import type { Json } from '../model/json.ts';
import { parseJson } from '../model/parse-json.ts';

/** The JSON a text is, or holds in its first code fence that is JSON. Undefined when there is none. */
export function jsonInText(text: string): { readonly value: Json } | undefined {
  return tryParse(text) ?? firstOf(fencedBlocks(text));
}

function firstOf(blocks: readonly string[]): { readonly value: Json } | undefined {
  for (const block of blocks) {
    const parsed = tryParse(block);
    if (parsed !== undefined) return parsed;
  }
  return undefined;
}

function tryParse(text: string): { readonly value: Json } | undefined {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** As Markdown has them: a fence closes with at least as many of the same characters as it opened with. */
export function fencedBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let fence: string | undefined;
  let lines: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const marks = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) {
      fence = marks;
      lines = [];
    } else if (marks?.startsWith(fence) === true && line.trim() === marks) {
      blocks.push(lines.join('\n'));
      fence = undefined;
    } else lines.push(line);
  }
  // A reply that was cut off after its fence opened may still hold the whole JSON.
  return fence === undefined ? blocks : [...blocks, lines.join('\n')];
}
