import type { AssistantModelMessage, ModelMessage, ToolModelMessage, UserModelMessage } from 'ai';
import { contentText, isParts, partText } from '../../base/model/content-text.ts';
import { isJsonObject, ownValue, type Json } from '../../base/model/json.ts';
import { contentOf, type Message } from '../../base/model/message.ts';
import { AgentError } from '../contract.ts';

/** The messages of a test in the form of the AI SDK. Every tool call in them gets a result: providers require it. */
export function toModelMessages(messages: readonly Message[]): readonly ModelMessage[] {
  const result: ModelMessage[] = [];
  let open: OpenCall[] = [];
  const closeAll = (): void => {
    if (open.length > 0) result.push(toolResults(open));
    open = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      answerOpenCall(message, open);
      continue;
    }
    closeAll();
    if (message.role === 'system') result.push({ role: 'system', content: textOf(contentOf(message)) });
    else if (message.role === 'user') result.push({ role: 'user', content: userContent(contentOf(message)) });
    else {
      open = callsOf(message, result.length);
      result.push(assistantMessage(message, open));
    }
  }
  closeAll();
  return result;
}

interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  result: string | undefined;
}

function callsOf(message: Message, position: number): OpenCall[] {
  const calls = ownValue(message, 'tool_calls');
  if (!Array.isArray(calls)) return [];
  return calls.filter(isJsonObject).map((call, index) => {
    const output = ownValue(call, 'output');
    return {
      id: String(ownValue(call, 'id') ?? `call_${position}_${index}`),
      name: String(ownValue(call, 'tool') ?? ownValue(call, 'name') ?? ''),
      input: ownValue(call, 'input') ?? {},
      result: output === undefined ? undefined : textOf(output),
    };
  });
}

function assistantMessage(message: Message, calls: readonly OpenCall[]): AssistantModelMessage {
  const text = textOf(contentOf(message));
  if (calls.length === 0) return { role: 'assistant', content: text };
  return {
    role: 'assistant',
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map(({ id, name, input }) => {
        return { type: 'tool-call' as const, toolCallId: id, toolName: name, input: withoutBigints(input) };
      }),
    ],
  };
}

/** A tool message answers the call it names, else the first call without a result. */
function answerOpenCall(message: Message, open: readonly OpenCall[]): void {
  const id = ownValue(message, 'tool_call_id') ?? ownValue(message, 'id');
  const call =
    open.find((candidate) => candidate.id === id) ?? open.find(({ result }) => result === undefined);
  if (call === undefined)
    throw new AgentError('agent', 'a tool message of the input answers no tool call before it');
  call.result = textOf(contentOf(message));
}

function toolResults(calls: readonly OpenCall[]): ToolModelMessage {
  return {
    role: 'tool',
    content: calls.map(({ id, name, result = '' }) => {
      return { type: 'tool-result', toolCallId: id, toolName: name, output: { type: 'text', value: result } };
    }),
  };
}

type UserPart = Exclude<UserModelMessage['content'], string>[number];

/** One string, for servers that accept nothing else; with an image the parts stay parts. */
function userContent(content: Json | undefined): UserModelMessage['content'] {
  if (content === undefined || !isParts(content) || !content.some((part) => imageIn(part) !== undefined))
    return textOf(content);
  return content.map((part): UserPart => {
    const image = imageIn(part);
    return image === undefined
      ? { type: 'text', text: partText(part, 'included') }
      : { type: 'image', image };
  });
}

function imageIn(part: Json): URL | undefined {
  if (!isJsonObject(part) || ownValue(part, 'type') !== 'image') return undefined;
  const value = ownValue(part, 'value');
  return typeof value === 'string' && /^(?:data|https?):/i.test(value) ? new URL(value) : undefined;
}

function textOf(content: Json | undefined): string {
  return contentText(content, 'included');
}

/** JSON.stringify, which the SDK uses, refuses them. */
function withoutBigints(value: Json): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? String(item) : item)),
  );
}
