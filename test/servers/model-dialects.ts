import type { ReceivedRequest, ScriptedToolCall, Turn } from './model-server.ts';

type Dialect = (turn: Turn, request: ReceivedRequest) => unknown;

const USAGE = { input: 100, output: 20, cached: 0 };

/** How a turn is worded at this address; undefined for an address nobody serves. */
export function dialectFor(path: string): Dialect | undefined {
  if (path.includes('/chat/completions')) return chatCompletion;
  if (/\/responses(?:\?|$)/.test(path)) return response;
  if (/\/messages(?:\?|$)/.test(path)) return anthropicMessage;
  return /:(?:streamG|g)enerateContent/.test(path) ? googleContent : undefined;
}

const chatCompletion: Dialect = (turn, { body, index }) => {
  const { text = '', toolCalls = [], usage = USAGE } = turn;
  return {
    id: `chatcmpl-${index}`,
    object: 'chat.completion',
    created: 1,
    model: body.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' ? null : text,
          ...(toolCalls.length === 0
            ? {}
            : { tool_calls: toolCalls.map((call, place) => chatToolCall(call, `${index}_${place}`)) }),
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

function chatToolCall({ name, args, id }: ScriptedToolCall, place: string) {
  return { id: id ?? `call_${place}`, type: 'function', function: { name, arguments: args } };
}

const response: Dialect = (turn, { body, index }) => {
  const { text = '', toolCalls = [], usage = USAGE } = turn;
  const message = {
    type: 'message',
    role: 'assistant',
    id: `msg_${index}`,
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  const calls = toolCalls.map(({ name, args, id }, place) => {
    return {
      type: 'function_call',
      id: `fc_${index}_${place}`,
      call_id: id ?? `call_${index}_${place}`,
      name,
      arguments: args,
      status: 'completed',
    };
  });
  return {
    id: `resp_${index}`,
    object: 'response',
    created_at: 1,
    status: turn.finish === 'length' ? 'incomplete' : 'completed',
    error: null,
    model: body.model,
    output: [...(text === '' ? [] : [message]), ...calls],
    ...(turn.finish === 'length' ? { incomplete_details: { reason: 'max_output_tokens' } } : {}),
    ...(usage === null
      ? {}
      : {
          usage: {
            input_tokens: usage.input,
            output_tokens: usage.output,
            total_tokens: usage.input + usage.output,
            input_tokens_details: { cached_tokens: usage.cached ?? 0 },
            output_tokens_details: { reasoning_tokens: 0 },
          },
        }),
  };
};

/** A model without structured outputs is made to call a tool named `json`. */
const anthropicMessage: Dialect = (turn, { body, index }) => {
  const { text = '', toolCalls = [], usage } = turn;
  const mustCallJson = body.tools?.some((tool: { name: string }) => tool.name === 'json') === true;
  const content = mustCallJson
    ? [{ type: 'tool_use', id: 'toolu_json', name: 'json', input: JSON.parse(text) }]
    : [
        ...(text === '' ? [] : [{ type: 'text', text }]),
        ...toolCalls.map(({ name, args, id }, place) => {
          return { type: 'tool_use', id: id ?? `toolu_${index}_${place}`, name, input: JSON.parse(args) };
        }),
      ];
  const { input, output, cached = 0 } = usage ?? USAGE;
  return {
    type: 'message',
    id: `msg_${index}`,
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
