import { isJsonObject, setOwn, type Json, type JsonObject } from '../../../base/model/json.ts';
import { tryParseJson } from '../../../base/model/parse-json.ts';
import { printJson } from '../../../base/model/print-json.ts';
import type { RequiredText } from '../../../base/model/reply-requirements.ts';

/**
 * Outputs that are JSON, or contain it, with the required texts somewhere in them: as they are, as members of the
 * object, inside one of its strings, or around a code fence. `wanted` has the possible values of each assertion
 * that requires JSON.
 */
export function* jsonOutputs(
  wanted: readonly (readonly Json[])[],
  texts: readonly RequiredText[],
): Generator<string> {
  if (wanted.length === 0) return;
  const values = [...merged(wanted), ...wanted.flat()];
  const words = texts.map(({ text }) => text);
  for (const value of values) yield* styles(value);
  if (words.length === 0) return;
  for (const value of values) {
    yield* styles(withMembers(value, words));
    yield* styles(withText(value, words.join(' ')));
  }
  for (const value of values.slice(0, 2)) yield `${words.join(' ')}\n\`\`\`json\n${printJson(value)}\n\`\`\``;
}

/** Objects that several assertions require, merged: later ones add to the first. */
function merged(wanted: readonly (readonly Json[])[]): readonly Json[] {
  const firsts = wanted.map(([first]) => first);
  if (firsts.length < 2 || !firsts.every((value) => isJsonObject(value))) return [];
  return [Object.assign({}, ...firsts.toReversed()) as JsonObject];
}

/** Compact, with spaces as Python prints it, and indented. */
function styles(value: Json): readonly string[] {
  const indented = printJson(value, '  ');
  return [printJson(value), spaced(value), indented];
}

function spaced(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => spaced(item)).join(', ')}]`;
  if (!isJsonObject(value)) return printJson(value);
  const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${spaced(inner)}`);
  return `{${members.join(', ')}}`;
}

/** A text such as `"status": "ok"` is a member of an object. */
function withMembers(value: Json, words: readonly string[]): Json {
  if (!isJsonObject(value)) return value;
  const copy: Record<string, Json> = { ...value };
  for (const word of words) {
    const members = tryParseJson(`{${word.replace(/,\s*$/, '')}}`);
    const named = tryParseJson(`{${word}: true}`);
    for (const found of [members, named])
      if (isJsonObject(found))
        for (const [key, inner] of Object.entries(found))
          if (found === members || !Object.hasOwn(copy, key)) setOwn(copy, key, inner);
  }
  return copy;
}

/** The words instead of the first string, or as a string of their own. */
function withText(value: Json, words: string): Json {
  if (typeof value === 'string') return words;
  if (Array.isArray(value)) {
    const at = value.findIndex((item: Json) => typeof item === 'string' || typeof item === 'object');
    return at === -1 ? [...(value as Json[]), words] : value.with(at, withText(value[at] as Json, words));
  }
  if (!isJsonObject(value)) return words;
  const copy: Record<string, Json> = { ...value };
  const key =
    Object.keys(value).find((own) => value[own] === 'text') ??
    Object.keys(value).find((own) => typeof value[own] === 'string');
  setOwn(copy, key ?? 'text', words);
  return copy;
}
