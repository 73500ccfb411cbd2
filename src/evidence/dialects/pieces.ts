import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { AskedCall, AssistantEntry, Entry, ResultEntry, UnknownEntry } from '../entry.ts';

/** What one part of a message holds. Nothing of these: a thought, an image, a citation. */
export interface Piece {
  readonly text?: string | undefined;
  readonly refusal?: string | undefined;
  readonly call?: AskedCall | undefined;
  readonly result?: Omit<ResultEntry, 'kind'> | undefined;
}

export const NOTHING: Piece = {};

/** What all parts of a message hold. */
export interface Pieces {
  /** Undefined: no part has text. */
  readonly text?: string | undefined;
  readonly refusal?: string | undefined;
  readonly calls: readonly AskedCall[];
  readonly results: readonly ResultEntry[];
  readonly unknown: readonly UnknownEntry[];
  /** There is no content at all. */
  readonly isEmpty?: boolean | undefined;
}

/** The content of a message: text, or a list of parts, of which `readPart` knows those of its dialect. */
export function readPieces(
  content: Json | undefined,
  at: string,
  readPart: (part: JsonObject) => Piece | undefined,
): Pieces {
  if (content === undefined || content === null)
    return { calls: [], results: [], unknown: [], isEmpty: true };
  if (typeof content === 'string') return { text: content, calls: [], results: [], unknown: [] };
  const pieces: Piece[] = [];
  const unknown: UnknownEntry[] = [];
  const parts = isJsonList(content) ? content : [content];
  for (const [index, part] of parts.entries()) {
    const piece = isJsonObject(part) ? readPart(part) : typeof part === 'string' ? { text: part } : undefined;
    if (piece !== undefined) pieces.push(piece);
    else unknown.push(unknownEntry(isJsonList(content) ? `${at}[${index}]` : at, part));
  }
  return { ...joinPieces(pieces), unknown, isEmpty: parts.length === 0 };
}

function joinPieces(pieces: readonly Piece[]): Omit<Pieces, 'unknown'> {
  const texts = pieces.flatMap(({ text }) => text ?? []);
  return {
    text: texts.length === 0 ? undefined : texts.join(''),
    refusal: pieces.find(({ refusal }) => refusal !== undefined)?.refusal,
    calls: pieces.flatMap(({ call }) => call ?? []),
    results: pieces.flatMap(({ result }) => (result === undefined ? [] : { kind: 'result', ...result })),
  };
}

type Speaker = Omit<AssistantEntry, 'kind' | 'text' | 'calls'>;

/** A message of the model, with the results of what its provider ran. */
export function assistantEntries(pieces: Pieces, speaker: Speaker = {}): readonly Entry[] {
  const { text, calls, results, unknown } = pieces;
  const refusal = speaker.refusal ?? pieces.refusal;
  return [{ kind: 'assistant', text, calls, ...speaker, refusal }, ...results, ...unknown];
}

/**
 * A message in the role of the user. With results of tools in it, or without anything that can be read, it begins no turn:
 * the calls before it belong to the turn that goes on.
 */
export function userEntries({ text = '', calls, results, unknown, isEmpty }: Pieces): readonly Entry[] {
  const isUnreadable = text === '' && unknown.length > 0;
  const isContext =
    results.length > 0 || calls.length > 0 || isUnreadable || isEmpty === true || CONTEXT.test(text);
  return [
    ...results,
    ...(calls.length === 0 ? [] : [{ kind: 'assistant', calls } as const]),
    ...(isContext && text === ''
      ? []
      : [{ kind: 'user', text, ...(isContext ? { isContext } : {}) } as const]),
    ...unknown.map((entry) => ({ ...entry, mayHoldCall: isContext })),
  ];
}

/** What coding agents write in the name of the user. */
const CONTEXT =
  /^\s*<(environment_context|session_context|user_instructions|system-reminder|turn_aborted)>[^]*<\/\1>\s*$/;

/** A part, block or role that no reader knows. It may be a tool call. */
export function unknownEntry(at: string, value: Json | undefined): UnknownEntry {
  return { kind: 'unknown', at, form: formOf(value), mayHoldCall: true };
}

function formOf(value: Json | undefined): string {
  if (!isJsonObject(value)) return isJsonList(value) ? 'a list' : shorten(String(value));
  for (const key of ['type', 'role', 'kind', 'part_kind']) {
    const name = ownValue(value, key);
    if (typeof name === 'string') return `${key}: ${shorten(name)}`;
  }
  return shorten(Object.keys(value).join(', ')) || 'an empty object';
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
