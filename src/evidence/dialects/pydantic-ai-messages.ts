import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import type { AskedCall, Entry, ResultEntry } from '../entry.ts';
import { listAt, objectAt, readArguments, readOutput, textAt, valueAt } from '../foreign-fields.ts';
import { countAt, inclusiveUsage } from '../provider-usage.ts';
import type { MessageDialect } from './dialect.ts';
import { assistantEntries, NOTHING, readPieces, unknownEntry, userEntries, type Piece } from './pieces.ts';

/** Messages of Pydantic AI: requests and responses, each with parts of a `part_kind`. */
export const PYDANTIC_AI_MESSAGES: MessageDialect = {
  name: 'Pydantic AI messages',
  recognises: (messages) => messages.some(isMarked),
  read: readMessages,
};

function isMarked(message: Json): boolean {
  if (!isJsonObject(message)) return false;
  const kind = textAt(message, 'kind');
  const parts = listAt(message, 'parts') ?? [];
  return (
    (kind === 'request' || kind === 'response') &&
    parts.some((part) => textAt(part, 'part_kind') !== undefined)
  );
}

function readMessages(messages: readonly Json[], at: string): readonly Entry[] {
  const answers = answerCalls(messages);
  return messages.flatMap((message, index) => {
    const place = `${at}[${index}]`;
    if (!isJsonObject(message)) return [unknownEntry(place, message)];
    const pieces = readPieces(listAt(message, 'parts'), `${place}.parts`, (part) => readPart(part, answers));
    switch (textAt(message, 'kind')) {
      case 'request':
        // System prompts and retry prompts are not turns of the user.
        return hasPrompt(message) ? userEntries(pieces) : [...pieces.results, ...pieces.unknown];
      case 'response':
        return assistantEntries(pieces, { usage: usageOf(message), model: textAt(message, 'model_name') });
      default:
        return [unknownEntry(place, message)];
    }
  });
}

function hasPrompt(message: JsonObject): boolean {
  return listAt(message, 'parts')?.some((part) => textAt(part, 'part_kind') === 'user-prompt') === true;
}

/** Structured output comes as a call of a tool that only takes it: by the text that is given back for it. */
function answerCalls(messages: readonly Json[]): ReadonlySet<string> {
  const parts = messages.flatMap((message) => listAt(message, 'parts') ?? []);
  return new Set(
    parts.flatMap((part) => {
      const isAnswer =
        textAt(part, 'part_kind') === 'tool-return' && textAt(part, 'content') === 'Final result processed.';
      return isAnswer ? (textAt(part, 'tool_call_id') ?? []) : [];
    }),
  );
}

function readPart(part: JsonObject, answers: ReadonlySet<string>): Piece | undefined {
  const kind = textAt(part, 'part_kind') ?? '';
  const id = textAt(part, 'tool_call_id');
  switch (kind) {
    case 'text':
      return { text: textAt(part, 'content') };
    case 'user-prompt':
      return { text: promptText(valueAt(part, 'content')) };
    case 'tool-call':
    case 'builtin-tool-call': {
      const call = readCall(part, kind);
      if (call === undefined || id === undefined || !answers.has(id)) return call && { call };
      return { text: printJson(call.input ?? null) };
    }
    case 'tool-return':
    case 'builtin-tool-return':
      return id !== undefined && answers.has(id) ? NOTHING : { result: readResult(part) };
    case 'retry-prompt':
      // Without a tool it asks for another answer.
      return textAt(part, 'tool_name') === undefined
        ? NOTHING
        : { result: { ...readResult(part), status: 'error' } };
    default:
      return UNSAID.has(kind) ? NOTHING : undefined;
  }
}

const UNSAID: ReadonlySet<string> = new Set(['system-prompt', 'instruction', 'thinking', 'file']);

function readCall(part: JsonObject, kind: string): AskedCall | undefined {
  const tool = textAt(part, 'tool_name');
  if (tool === undefined) return undefined;
  const executedBy = kind === 'tool-call' ? undefined : ('provider' as const);
  const input = readArguments(valueAt(part, 'args')) ?? {};
  return { tool, id: textAt(part, 'tool_call_id'), input, executed_by: executedBy };
}

function readResult(part: JsonObject): Omit<ResultEntry, 'kind'> {
  const outcome = textAt(part, 'outcome');
  return {
    id: textAt(part, 'tool_call_id'),
    tool: textAt(part, 'tool_name'),
    output: readOutput(valueAt(part, 'content')),
    ...(outcome === undefined ? {} : { status: outcome === 'success' ? 'ok' : 'error' }),
  };
}

function promptText(content: Json | undefined): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  return (content as readonly Json[]).filter((part) => typeof part === 'string').join('');
}

/** `input_tokens` includes tokens read from a cache. Before version 1 it was `request_tokens`. */
function usageOf(message: JsonObject): TokenUsage | undefined {
  return pydanticAiUsage(objectAt(message, 'usage'));
}

export function pydanticAiUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  return inclusiveUsage({
    prompt: countAt(usage, 'input_tokens', 'request_tokens'),
    cached: countAt(usage, 'cache_read_tokens'),
    output: countAt(usage, 'output_tokens', 'response_tokens'),
    reasoning: countAt(objectAt(usage, 'details'), 'reasoning_tokens'),
  });
}
