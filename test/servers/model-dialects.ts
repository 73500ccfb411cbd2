import type { ReceivedRequest, ScriptedToolCall, Turn } from './model-server.ts';

type Dialect = (turn: Turn, request: ReceivedRequest) => unknown;

const USAGE = { input: 100, output: 20, cached: 0 };

/** How a turn is worded at this address; undefined for an address nobody serves. */
export function dialectFor(path: string): Dialect | undefined {
  if (path.includes('/chat/completions')) return chatCompletion;
  if (path.includes('/responses')) return response;
  if (path.includes('/messages')) return anthropicMessage;
  return path.includes(':generateContent') ? googleContent : undefined;
}

const chatCompletion: Dialect = (turn, { body }) => {
  const { text = '', toolCalls = [], usage = USAGE } = turn;
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: body.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' ? null : text,
          ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(chatToolCall) }),
        },
        finish_reason: toolCalls.length > 0 ? 'tool_calls' : (turn.finish ?? 'stop'),
      },
    ],
    ...(usage === null
      ? {}
      : {
          usage: {
            prompt_tokens: usage.input,
            completion_tokens: usage.output,
            total_tokens: usage.input + usage.output,
            prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
          },
        }),
  };
};

function chatToolCall({ name, args, id }: ScriptedToolCall, index: number) {
  return { id: id ?? `call_${index}`, type: 'function', function: { name, arguments: args } };
}

const response: Dialect = (turn, { body }) => {
  const { text = '', toolCalls = [], usage = USAGE } = turn;
  const message = {
    type: 'message',
    role: 'assistant',
    id: 'msg_1',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  const calls = toolCalls.map(({ name, args, id }, index) => {
    return {
      type: 'function_call',
      id: `fc_${index}`,
      call_id: id ?? `call_${index}`,
      name,
      arguments: args,
    };
  });
  return {
    id: 'resp_1',
    created_at: 1,
    model: body.model,
    output: [...(text === '' ? [] : [message]), ...calls],
    ...(turn.finish === 'length' ? { incomplete_details: { reason: 'max_output_tokens' } } : {}),
    ...(usage === null
      ? {}
      : {
          usage: {
            input_tokens: usage.input,
            output_tokens: usage.output,
            input_tokens_details: { cached_tokens: usage.cached ?? 0 },
          },
        }),
  };
};

/** A model without structured outputs is made to call a tool named `json`. */
const anthropicMessage: Dialect = (turn, { body }) => {
  const { text = '', toolCalls = [], usage } = turn;
  const mustCallJson = body.tools?.some((tool: { name: string }) => tool.name === 'json') === true;
  const content = mustCallJson
    ? [{ type: 'tool_use', id: 'toolu_json', name: 'json', input: JSON.parse(text) }]
    : [
        ...(text === '' ? [] : [{ type: 'text', text }]),
        ...toolCalls.map(({ name, args, id }, index) => {
          return { type: 'tool_use', id: id ?? `toolu_${index}`, name, input: JSON.parse(args) };
        }),
      ];
  const { input, output, cached = 0 } = usage ?? USAGE;
  return {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    model: body.model,
    content,
    stop_reason:
      toolCalls.length > 0 || mustCallJson
        ? 'tool_use'
        : turn.finish === 'length'
          ? 'max_tokens'
          : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: input - cached,
      output_tokens: output,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 0,
    },
  };
};

const googleContent: Dialect = ({ text = '', toolCalls = [], usage = USAGE }) => {
  const calls = toolCalls.map(({ name, args }) => ({ functionCall: { name, args: JSON.parse(args) } }));
  return {
    candidates: [
      {
        content: { role: 'model', parts: [...(text === '' ? [] : [{ text }]), ...calls] },
        finishReason: 'STOP',
      },
    ],
    ...(usage === null
      ? {}
      : {
          usageMetadata: {
            promptTokenCount: usage.input,
            candidatesTokenCount: usage.output,
            totalTokenCount: usage.input + usage.output,
            cachedContentTokenCount: usage.cached ?? 0,
          },
        }),
  };
};
