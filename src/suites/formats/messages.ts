import { COMPARABLE_REFERENCE } from '../../base/match/matchers/comparable.ts';
import { checkMatchers } from '../../base/match/matchers/check-matchers.ts';
import { isParts } from '../../base/model/content-text.ts';
import { isJsonObject, jsonTypeOf, type Json, type JsonObject } from '../../base/model/json.ts';
import { ROLES, type Message } from '../../base/model/message.ts';
import { toolCallField } from '../../base/model/tool-call-fields.ts';
import { didYouMean, misspelledAs, quoteName } from '../../base/schema/did-you-mean.ts';
import type { Reader } from '../../base/schema/reader.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { describe, quoteHint, subject, wrongType } from '../../base/schema/values.ts';

type Messages = readonly Message[];

const MESSAGE_JSON_SCHEMA = {
  type: 'object',
  properties: {
    role: { enum: ROLES },
    content: { type: ['string', 'object', 'array', 'null'] },
    tool_calls: { type: 'array', items: { type: 'object', properties: { tool: { type: 'string' } } } },
  },
  required: ['role'],
};

const MESSAGES_JSON_SCHEMA = { type: 'array', items: MESSAGE_JSON_SCHEMA };

/** `input_messages`: at least one message. */
export const inputMessages: Schema<Messages> = {
  label: 'list of messages',
  jsonSchema: { ...MESSAGES_JSON_SCHEMA, minItems: 1 },
  read(value, reader) {
    if (!Array.isArray(value))
      return wrongType(value, reader, { wanted: 'a list of messages', hint: 'a string goes under `input`' });
    if (value.length === 0) {
      reader.error({
        code: 'empty_messages',
        message: `${subject(reader)} must contain at least one message`,
      });
      return undefined;
    }
    return readMessages(value, reader, 'input');
  },
};

/** `input`: text is the user's message; a message or a list of messages is used as it is. */
export const inputShorthand: Schema<Messages> = {
  label: 'text, message or list of messages',
  jsonSchema: { anyOf: [{ type: 'string' }, MESSAGE_JSON_SCHEMA, inputMessages.jsonSchema] },
  read(value, reader) {
    if (typeof value === 'string') {
      if (value.trim() === '')
        reader.warning({ code: 'empty_input', message: `${subject(reader)} is empty` });
      return [{ role: 'user', content: value }];
    }
    if (Array.isArray(value)) return inputMessages.read(value, reader);
    if (isJsonObject(value) && Object.hasOwn(value, 'role')) {
      checkMessage(value, reader, 'input');
      return [value as Message];
    }
    const hint = isJsonObject(value) ? 'a message has a `role` and `content`' : undefined;
    return wrongType(value, reader, {
      wanted: 'text, a message or a list of messages',
      ...(hint === undefined ? hintFor(value, reader) : { hint }),
    });
  },
};

/** `expected_messages`: messages, or an empty list for none. */
export const expectedMessages: Schema<Messages> = {
  label: 'list of messages',
  jsonSchema: MESSAGES_JSON_SCHEMA,
  read(value, reader) {
    if (Array.isArray(value)) return readMessages(value, reader, 'expected');
    return wrongType(value, reader, {
      wanted: 'a list of messages',
      hint: 'a string or an object goes under `expected_output`',
    });
  },
};

/** `expected_output`: the expected answer of the assistant: text, an object, a list, or whole messages. */
export const expectedShorthand: Schema<Messages> = {
  label: 'text, object, list or messages',
  jsonSchema: { type: ['string', 'object', 'array'], allOf: [COMPARABLE_REFERENCE] },
  read(value, reader) {
    if (typeof value === 'string') {
      if (value === '')
        reader.warning({
          code: 'empty_expected',
          message: `${subject(reader)} is empty: an empty answer is expected`,
        });
      return [{ role: 'assistant', content: value }];
    }
    if (Array.isArray(value)) return readExpectedList(value, reader);
    if (!isJsonObject(value))
      return wrongType(value, reader, { wanted: 'text, an object or a list', ...hintFor(value, reader) });
    if (!isMessageLike(value)) {
      checkMatchers(value, reader, { isAlwaysThere: 'answer' });
      return [{ role: 'assistant', content: value }];
    }
    checkMessage(value, reader, 'expected');
    return [value as Message];
  },
};

function readExpectedList(items: readonly Json[], reader: Reader): Messages | undefined {
  const other = items.findIndex((item) => !isMessageLike(item));
  if (items.length > 0 && other === -1) return readMessages(items, reader, 'expected');
  if (items.some(isMessageLike)) {
    reader.error({
      code: 'mixed_array',
      message: `${subject(reader)} mixes messages with other values: item ${other + 1} is not a message`,
      hint: 'make every item a message, or none',
      at: [other],
    });
    return undefined;
  }
  if (items.length === 0) {
    reader.warning({
      code: 'empty_array',
      message: `${subject(reader)} is an empty list: the answer [] is expected`,
      hint: 'remove it if nothing is expected',
    });
  }
  checkMatchers(items, reader);
  return [{ role: 'assistant', content: items }];
}

function readMessages(items: readonly Json[], reader: Reader, use: Use): Messages {
  for (let index = 0; index < items.length; index++) {
    reader.enter(index);
    checkMessage(items[index]!, reader, use);
    reader.leave();
  }
  return items as Messages;
}

type Use = 'input' | 'expected';

function checkMessage(value: Json, reader: Reader, use: Use): void {
  if (!isJsonObject(value)) {
    reader.error({
      code: 'message_type',
      message: `${subject(reader)} must be a message, but is ${describe(value)}`,
      hint: 'a message is an object with `role` and `content`',
    });
    return;
  }
  checkRole(value, reader);
  const hasCalls = checkToolCalls(value, reader, use);
  checkContent(value, hasCalls, { reader, use });
}

/** What frameworks call them. */
const OTHER_ROLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    user: ['human', 'customer'],
    assistant: ['ai', 'bot', 'model', 'agent'],
    system: ['developer'],
    tool: ['function'],
  }).flatMap(([role, others]) => others.map((other) => [other, `did you mean ${quoteName(role)}?`])),
);

function checkRole(message: JsonObject, reader: Reader): void {
  const role = Object.hasOwn(message, 'role') ? message['role']! : undefined;
  if (role === undefined) {
    reader.error({
      code: 'role',
      message: `${subject(reader)} is not a message: it has no \`role\``,
      hint: misspelledAs('role', message) ?? `use one of ${ROLES.map(quoteName).join(', ')}`,
    });
  } else if (typeof role !== 'string' || !(ROLES as readonly string[]).includes(role)) {
    reader.error({
      code: 'role',
      message: `${typeof role === 'string' ? quoteName(role) : describe(role)} is not a role`,
      hint:
        (typeof role === 'string'
          ? (didYouMean(role, ROLES) ?? OTHER_ROLES.get(role.toLowerCase()))
          : undefined) ?? `use one of ${ROLES.map(quoteName).join(', ')}`,
      at: ['role'],
    });
  }
}

/** Whether the message calls tools. Input messages may have any shape; expected ones must be checkable. */
function checkToolCalls(message: JsonObject, reader: Reader, use: Use): boolean {
  if (!Object.hasOwn(message, 'tool_calls') || message['tool_calls'] === null) return false;
  const calls = message['tool_calls']!;
  if (!Array.isArray(calls)) {
    reader.error({
      code: 'tool_calls',
      message: `\`tool_calls\` must be a list, but is ${describe(calls)}`,
      at: ['tool_calls'],
    });
    return true;
  }
  for (const [index, call] of calls.entries()) {
    if (isJsonObject(call) && typeof call['tool'] === 'string') {
      if (isCompared(message, use)) checkCallMatchers(call, index, reader);
      continue;
    }
    const problem = {
      code: 'tool_calls',
      message: `tool call ${index + 1} has no \`tool\` name`,
      hint: 'write { tool: name, input: ... }',
      at: ['tool_calls', index],
    };
    if (use === 'expected') reader.error(problem);
    else reader.warning(problem);
  }
  return calls.length > 0;
}

/** Only what the assistant is expected to say is compared. */
function isCompared(message: JsonObject, use: Use): boolean {
  return use === 'expected' && message['role'] === 'assistant';
}

/** What is expected of a call may have matchers. */
function checkCallMatchers(call: JsonObject, index: number, reader: Reader): void {
  for (const part of ['input', 'output'] as const) {
    const key = toolCallField(call, part)?.key;
    if (key === undefined || typeof call[key] !== 'object') continue;
    for (const segment of ['tool_calls', index, key]) reader.enter(segment);
    checkMatchers(call[key], reader, { isArgument: part === 'input' });
    for (let left = 3; left > 0; left--) reader.leave();
  }
}

function checkContent(
  message: JsonObject,
  hasCalls: boolean,
  { reader, use }: { reader: Reader; use: Use },
): void {
  const isThere = Object.hasOwn(message, 'content');
  const content = isThere ? message['content']! : null;
  if (content === null) {
    if (hasCalls) return;
    reader.error({
      code: 'content',
      message: `a message needs \`content\`${use === 'expected' ? ' or `tool_calls`' : ''}`,
      hint: misspelledAs('content', message) ?? 'add `content`',
      ...(isThere ? { at: ['content'] } : {}),
    });
  } else if (typeof content !== 'string' && typeof content !== 'object') {
    reader.error({
      code: 'content',
      message: `\`content\` must be text, an object or a list, but is ${describe(content)}`,
      ...hintFor(content, reader, 'content'),
      at: ['content'],
    });
  } else if (content === '' && !hasCalls) {
    reader.warning({
      code: use === 'input' ? 'empty_input' : 'empty_expected',
      message: '`content` is empty',
      at: ['content'],
    });
  } else if (isCompared(message, use) && typeof content === 'object' && !isParts(content)) {
    reader.enter('content');
    checkMatchers(content, reader, { isAlwaysThere: 'answer' });
    reader.leave();
  }
}

/**
 * Something with one of our roles, or with any role beside content or tool calls. An answer may have a field "role"
 * too.
 */
function isMessageLike(value: Json): boolean {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'role')) return false;
  return (
    (ROLES as readonly Json[]).includes(value['role']!) ||
    Object.hasOwn(value, 'content') ||
    Object.hasOwn(value, 'tool_calls')
  );
}

function hintFor(value: Json, reader: Reader, ...below: readonly string[]): { readonly hint?: string } {
  const type = jsonTypeOf(value);
  return type === 'number' || type === 'boolean' ? { hint: quoteHint(reader, ...below) } : {};
}
