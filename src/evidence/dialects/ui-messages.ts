import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { AskedCall, Entry, UnknownEntry } from '../entry.ts';
import { listAt, objectAt, readArguments, readOutput, textAt, valueAt } from '../foreign-fields.ts';
import { type MessageDialect, eachMessage } from './dialect.ts';
import { assistantEntries, NOTHING, readPieces, unknownEntry, userEntries, type Piece } from './pieces.ts';

/** UIMessages of the AI SDK, and what Mastra keeps: one message has all steps of an answer as `parts`. */
export const UI_MESSAGES: MessageDialect = {
  name: 'AI SDK UI messages',
  isWholeTurn: true,
  recognises: (messages) => messages.every(isUiMessage) && messages.some(isMarked),
  read: eachMessage(readMessage),
};

function isUiMessage(message: Json): boolean {
  return isJsonObject(message) && textAt(message, 'role') !== undefined && partsOf(message) !== undefined;
}

/** A part of the framework's own, or an answer of typed parts that all are known. */
function isMarked(message: Json): boolean {
  if (!isJsonObject(message)) return false;
  const parts = (partsOf(message) ?? []).filter(isJsonObject);
  if (parts.some((part) => textAt(part, 'type') === 'step-start' || callOf(part) !== undefined)) return true;
  const isTyped = parts.length > 0 && parts.every((part) => readPart(part) !== undefined);
  return textAt(message, 'role') === 'assistant' && isTyped && Object.hasOwn(message, 'id');
}

/** Mastra puts them into `content`. */
function partsOf(message: JsonObject): readonly Json[] | undefined {
  return listAt(message, 'parts') ?? listAt(objectAt(message, 'content'), 'parts');
}

function readMessage(message: JsonObject, at: string): readonly Entry[] {
  const parts = partsOf(message) ?? [];
  const role = textAt(message, 'role');
  if (role === 'assistant') return readAnswer(parts, `${at}.parts`);
  const pieces = readPieces(parts, `${at}.parts`, readPart);
  if (role === 'user') return userEntries(pieces);
  return role === 'system' ? [{ kind: 'system', text: pieces.text ?? '' }] : [unknownEntry(at, message)];
}

/** Each step of the answer is a message of the model. Text behind calls begins one too. */
export function readAnswer(parts: readonly Json[], at: string): readonly Entry[] {
  const steps: Step[] = [];
  let step: Step | undefined;
  for (const [index, part] of parts.entries()) {
    const piece = isJsonObject(part) ? readPart(part) : undefined;
    const isStart = textAt(part, 'type') === 'step-start';
    const isBehind = piece?.text !== undefined && (step?.calls.length ?? 0) > 0;
    if (step === undefined || isStart || isBehind) steps.push((step = { texts: [], calls: [], unknown: [] }));
    if (piece === undefined) step.unknown.push(unknownEntry(`${at}[${index}]`, part));
    if (piece?.text !== undefined) step.texts.push(piece.text);
    if (piece?.call !== undefined) step.calls.push(piece.call);
  }
  const filled = steps.filter(
    ({ texts, calls, unknown }) => texts.length + calls.length + unknown.length > 0,
  );
  return filled.flatMap(({ texts, calls, unknown }) =>
    assistantEntries({ text: texts.length === 0 ? undefined : texts.join(''), calls, results: [], unknown }),
  );
}

interface Step {
  readonly texts: string[];
  readonly calls: AskedCall[];
  readonly unknown: UnknownEntry[];
}

function readPart(part: JsonObject): Piece | undefined {
  const type = textAt(part, 'type') ?? '';
  if (type === 'text') return { text: textAt(part, 'text') };
  const call = callOf(part);
  if (call !== undefined) return { call };
  return UNSAID.has(type) || type.startsWith('data-') ? NOTHING : undefined;
}

const UNSAID: ReadonlySet<string> = new Set([
  'step-start',
  'reasoning',
  'reasoning-file',
  'redacted-reasoning',
  'source',
  'source-url',
  'source-document',
  'file',
  'custom',
  'steering-message',
]);

/** `tool-get_order`, `dynamic-tool` with a name, and `tool-invocation` of version 4. */
function callOf(part: JsonObject): AskedCall | undefined {
  const type = textAt(part, 'type') ?? '';
  const invocation = type === 'tool-invocation' ? objectAt(part, 'toolInvocation') : part;
  if (invocation === undefined || (type !== 'dynamic-tool' && !type.startsWith('tool-'))) return undefined;
  const tool =
    type === 'tool-invocation' || type === 'dynamic-tool' ? textAt(invocation, 'toolName') : type.slice(5);
  const state = textAt(invocation, 'state');
  const id = textAt(invocation, 'toolCallId');
  if (tool === undefined || (id === undefined && state === undefined)) return undefined;
  const executedBy = ownValue(invocation, 'providerExecuted') === true ? ('provider' as const) : undefined;
  const input = readArguments(valueAt(invocation, 'input', 'args', 'rawInput'));
  return { tool, id, input, executed_by: executedBy, result: resultOf(invocation, state) };
}

function resultOf(invocation: JsonObject, state: string | undefined): AskedCall['result'] {
  switch (state) {
    case 'output-available':
    case 'result':
      return { output: readOutput(valueAt(invocation, 'output', 'result')), status: 'ok' };
    case 'output-error':
      return { output: readOutput(valueAt(invocation, 'errorText')), status: 'error' };
    case 'output-denied':
      return { status: 'error' };
    default:
      return undefined;
  }
}
