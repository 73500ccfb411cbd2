import type { ReceivedRequest } from './model-server.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- the replies of four protocols
type Reply = any;

export interface ModelStream {
  readonly type: string;
  /** A whole reply as the events of a stream. */
  split(reply: object): readonly string[];
}

/** How the reply to this request is streamed; undefined where it is not. */
export function streamFor({ path, body }: ReceivedRequest): ModelStream | undefined {
  if (path.includes(':streamGenerateContent')) {
    return path.includes('alt=sse')
      ? { type: EVENT_STREAM, split: (reply) => googleChunks(reply).map(data) }
      : { type: 'application/json', split: (reply) => jsonList(googleChunks(reply)) };
  }
  if (body.stream !== true) return undefined;
  if (path.includes('/chat/completions')) {
    const hasUsage = body.stream_options?.include_usage === true;
    return { type: EVENT_STREAM, split: (reply) => chatEvents(reply, hasUsage) };
  }
  return path.includes('/responses')
    ? { type: EVENT_STREAM, split: (reply) => responseEvents(reply).map(named) }
    : { type: EVENT_STREAM, split: (reply) => anthropicEvents(reply).map(named) };
}

const EVENT_STREAM = 'text/event-stream';

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function named(value: { readonly type: string }): string {
  return `event: ${value.type}\n${data(value)}`;
}

function jsonList(values: readonly object[]): readonly string[] {
  return values.map((value, index) => `${index === 0 ? '[' : ',\n'}${JSON.stringify(value)}`).concat(']');
}

/** In words, or in halves where there are none. */
function pieces(text: string): readonly string[] {
  const words = text.match(/\S+\s*|\s+/g) ?? [];
  return words.length > 1 ? words : [text.slice(0, text.length / 2), text.slice(text.length / 2)];
}

function chatEvents({ choices, usage, ...rest }: Reply, hasUsage: boolean): readonly string[] {
  const { message, finish_reason } = choices[0];
  const chunk = (delta: object, end: string | null = null) => {
    return {
      ...rest,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: end }],
      ...(hasUsage ? { usage: null } : {}),
    };
  };
  const calls = (message.tool_calls ?? []).flatMap((call: Reply, index: number) => {
    const { name, arguments: args } = call.function;
    return [
      { tool_calls: [{ ...call, index, function: { name, arguments: '' } }] },
      ...pieces(args).map((part) => ({ tool_calls: [{ index, function: { arguments: part } }] })),
    ];
  });
  const text = message.content === null ? [] : pieces(message.content);
  return [
    chunk({ role: 'assistant', content: message.content === null ? null : '' }),
    ...text.map((content) => chunk({ content })),
    ...calls.map((delta: object) => chunk(delta)),
    chunk({}, finish_reason),
    ...(hasUsage && usage !== undefined
      ? [{ ...rest, object: 'chat.completion.chunk', choices: [], usage }]
      : []),
  ]
    .map(data)
    .concat('data: [DONE]\n\n');
}

function responseEvents(reply: Reply): readonly { readonly type: string }[] {
  const started = { ...reply, status: 'in_progress', output: [], usage: null };
  const items = reply.output.flatMap((item: Reply, output_index: number) =>
    item.type === 'message' ? messageEvents(item, output_index) : callEvents(item, output_index),
  );
  return [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...items,
    { type: `response.${reply.status}`, response: reply },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
}

function messageEvents(item: Reply, output_index: number): readonly object[] {
  const place = { item_id: item.id, output_index, content_index: 0 };
  const [part] = item.content;
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...pieces(part.text).map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
    { type: 'response.output_text.done', ...place, text: part.text },
    { type: 'response.content_part.done', ...place, part },
    { type: 'response.output_item.done', output_index, item },
  ];
}

function callEvents(item: Reply, output_index: number): readonly object[] {
  const place = { item_id: item.id, output_index };
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, status: 'in_progress', arguments: '' },
    },
    ...pieces(item.arguments).map((delta) => {
      return { type: 'response.function_call_arguments.delta', ...place, delta };
    }),
    { type: 'response.function_call_arguments.done', ...place, arguments: item.arguments, name: item.name },
    { type: 'response.output_item.done', output_index, item },
  ];
}

function anthropicEvents({ content, stop_reason, usage, ...rest }: Reply): readonly { type: string }[] {
  const message = { ...rest, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  const blocks = content.flatMap((block: Reply, index: number) => [
    {
      type: 'content_block_start',
      index,
      content_block: block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} },
    },
    ...pieces(block.type === 'text' ? block.text : JSON.stringify(block.input)).map((part) => {
      const delta =
        block.type === 'text'
          ? { type: 'text_delta', text: part }
          : { type: 'input_json_delta', partial_json: part };
      return { type: 'content_block_delta', index, delta };
    }),
    { type: 'content_block_stop', index },
  ]);
  return [
    { type: 'message_start', message },
    { type: 'ping' },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
}

/** The usage so far is in every chunk. */
function googleChunks({ candidates, ...rest }: Reply): readonly object[] {
  const [{ content, finishReason }] = candidates;
  const parts = content.parts.flatMap((part: Reply) =>
    part.text === undefined ? [part] : pieces(part.text).map((text) => ({ text })),
  );
  return parts.map((part: Reply, index: number) => {
    const end = index === parts.length - 1 ? { finishReason } : {};
    return { candidates: [{ content: { ...content, parts: [part] }, index: 0, ...end }], ...rest };
  });
}
