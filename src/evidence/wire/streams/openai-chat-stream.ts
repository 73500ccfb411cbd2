import { isJsonObject, type Json, type JsonObject } from '../../../model/json.ts';
import { printJson } from '../../../model/print-json.ts';
import type { AssembledStream } from '../apis/model-api.ts';
import { describeError } from '../describe-error.ts';
import { numberAt, objectAt, textAt } from '../../foreign-fields.ts';
import { objectsAt } from '../objects-at.ts';

/** Joins the chunks of a streamed chat completion. Of several choices the first is the answer. */
export function assembleChatStream(chunks: readonly JsonObject[]): AssembledStream {
  const message = {
    content: '',
    refusal: '',
    calls: new CallPieces(),
    legacy: undefined as Piece | undefined,
  };
  let finish: string | undefined;
  let usage: JsonObject | undefined;
  let failure: string | undefined;
  let first: JsonObject | undefined;
  const otherCalls: JsonObject[] = [];
  let executed: Json | undefined;
  for (const chunk of chunks) {
    if (chunk['error'] !== undefined && chunk['error'] !== null) failure = describeError(chunk['error']);
    if (textAt(chunk, 'id')) first ??= chunk;
    usage = objectAt(chunk, 'usage') ?? usage;
    for (const choice of objectsAt(chunk, 'choices')) {
      const delta = objectAt(choice, 'delta') ?? objectAt(choice, 'message') ?? {};
      if ((numberAt(choice, 'index') ?? 0) !== 0) {
        otherCalls.push(...objectsAt(delta, 'tool_calls'));
        continue;
      }
      message.content += contentText(delta['content']);
      message.refusal += textAt(delta, 'refusal') ?? '';
      for (const call of objectsAt(delta, 'tool_calls')) message.calls.add(call);
      const legacy = objectAt(delta, 'function_call');
      if (legacy !== undefined) message.legacy = extend(message.legacy ?? newPiece(), legacy);
      executed = delta['executed_tools'] ?? executed;
      finish = textAt(choice, 'finish_reason') ?? finish;
    }
  }
  if (finish === 'error') failure ??= 'finish_reason: error';
  const calls = message.calls.toJson();
  const assembled: Record<string, Json> = { role: 'assistant', content: message.content || null };
  if (message.refusal !== '') assembled['refusal'] = message.refusal;
  if (calls.length > 0) assembled['tool_calls'] = calls;
  if (executed !== undefined) assembled['executed_tools'] = executed;
  if (message.legacy !== undefined) {
    assembled['function_call'] = { name: message.legacy.name, arguments: message.legacy.input };
  }
  return {
    body: {
      id: textAt(first ?? {}, 'id') ?? null,
      model: textAt(first ?? {}, 'model') ?? null,
      choices: [
        { index: 0, message: assembled, finish_reason: finish ?? null },
        ...(otherCalls.length > 0 ? [{ index: 1, message: { tool_calls: otherCalls } }] : []),
      ],
      usage: usage ?? null,
    },
    isComplete: finish !== undefined,
    failure,
  };
}

interface Piece {
  id: string | undefined;
  type: string;
  name: string;
  input: string;
}

function newPiece(): Piece {
  return { id: undefined, type: 'function', name: '', input: '' };
}

/** Pieces of parallel calls may be interleaved: their `index` tells them apart. */
class CallPieces {
  private readonly pieces: { readonly index: number | undefined; readonly piece: Piece }[] = [];

  add(delta: JsonObject): void {
    const piece = this.find(delta);
    piece.id ??= textAt(delta, 'id') || undefined;
    const custom = objectAt(delta, 'custom');
    if (custom !== undefined) piece.type = 'custom';
    extend(piece, custom ?? objectAt(delta, 'function') ?? {});
  }

  toJson(): readonly Json[] {
    return this.pieces.map(({ piece: { id, type, name, input } }) => ({
      ...(id === undefined ? {} : { id }),
      type,
      ...(type === 'custom' ? { custom: { name, input } } : { function: { name, arguments: input } }),
    }));
  }

  /** Some servers send no index, or the same index for every call, but each call has its own id. */
  private find(delta: JsonObject): Piece {
    const index = numberAt(delta, 'index');
    const id = textAt(delta, 'id') || undefined;
    const last = this.pieces.findLast((each) => each.index === index);
    const isNew =
      last === undefined || (id !== undefined && last.piece.id !== undefined && last.piece.id !== id);
    if (!isNew) return last.piece;
    const piece = newPiece();
    this.pieces.push({ index, piece });
    return piece;
  }
}

function extend(piece: Piece, delta: JsonObject): Piece {
  piece.name += textAt(delta, 'name') ?? '';
  const input = delta['arguments'] ?? delta['input'];
  if (typeof input === 'string') piece.input += input;
  else if (isJsonObject(input)) piece.input = printJson(input);
  return piece;
}

function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((part: Json) => (isJsonObject(part) ? (textAt(part, 'text') ?? '') : '')).join('')
    : '';
}
