import { describe, expect, test } from 'vitest';
import {
  isOtlp,
  OtlpReader,
  readOtlp,
  type OtlpRequest,
  type OtlpStep,
  type OtlpTrace,
} from '../../src/evidence/otel/read-otlp.ts';
import type { Json, JsonObject } from '../../src/base/model/json.ts';
import type { Trace } from '../../src/evidence/trace.ts';
import {
  logs,
  spans,
  TELEMETRY,
  weatherSpans,
  type ExpectedTelemetry,
  type WrittenLog,
  type WrittenSpan,
} from './telemetry.ts';

const named = TELEMETRY.map((recording) => [recording.id, recording] as const);

function readOne(...requests: readonly OtlpRequest[]): Trace {
  const { traces } = readOtlp(requests);
  expect(traces.map(({ steps }) => steps.length)).toEqual([1]);
  return traces[0]!.steps[0]!.trace;
}

/** What of a trace a recording says. */
function toExpected(
  trace: Trace,
  { tool_calls: calls, token_usage: usage, ...others }: ExpectedTelemetry,
): JsonObject {
  const told: Record<string, unknown> = {};
  for (const key of Object.keys(others)) told[key] = trace[key as keyof Trace] ?? null;
  told['tool_calls'] = trace.tool_calls?.map((call, index) => {
    const wanted = calls[index] ?? {};
    const own: Record<string, unknown> = {};
    for (const key of Object.keys(wanted))
      own[key] = key === 'error' ? call.output : call[key as keyof typeof call];
    return own;
  });
  told['token_usage'] =
    usage == null
      ? (trace.token_usage ?? null)
      : Object.fromEntries(Object.keys(usage).map((key) => [key, trace.token_usage?.[key as 'input']]));
  return told as JsonObject;
}

describe('telemetry of real exporters', () => {
  test.each(named)('%s is read correctly', (_, { requests, expected }) => {
    const {
      note: _note,
      token_usage_also: _also,
      ...wanted
    } = expected as ExpectedTelemetry & Record<string, unknown>;
    const calls = wanted.tool_calls.map((call) => {
      const { duration_ms: limits, ...others } = call as typeof call & { duration_ms?: unknown };
      return limits === undefined ? call : { ...others, duration_ms: expect.any(Number) as number };
    });
    const trace = readOne(...requests);
    expect(toExpected(trace, wanted)).toEqual({ ...wanted, tool_calls: calls });
    expect(trace.gap).toBeUndefined();
  });

  test.each(named)('%s is the same in any order of its parts, and when it comes twice', (_, { requests }) => {
    const trace = readOne(...requests);
    const reversed = requests.map((request) => ({ ...request, body: reverse(request.body) }));
    expect(readOne(...reversed.toReversed())).toEqual(trace);
    expect(readOne(...requests, ...requests)).toEqual(trace);
  });

  test.each(named)('%s never loses its tools when a span is missing', (_, { requests, expected }) => {
    const trace = readOne(...requests);
    expect(trace.tool_calls).toHaveLength(expected.tool_calls.length);
    for (const [request, body] of requests.map((each) => [each, each.body] as const))
      for (const without of withoutEachSpan(body)) {
        const { traces } = readOtlp(
          requests.map((each) => (each === request ? { ...each, body: without } : each)),
        );
        const left = traces.flatMap(({ steps }) => steps);
        const isWhole = left.some((step) => step.trace.tool_calls?.length === expected.tool_calls.length);
        const isOpen = left.every(
          (step) => step.trace.gap !== undefined || step.trace.tool_calls === undefined,
        );
        expect(isWhole || isOpen || left.length === 0).toBe(true);
      }
  });
});

test('one conversation is the same in every dialect that recorded it', () => {
  const berlin = TELEMETRY.filter(({ id }) =>
    ['ai6-stream', 'ai7-json', 'openinference-langchain', 'openinference-openai-proto'].includes(id),
  );
  const trajectories = berlin.map(({ requests }) => {
    const { output, tool_calls } = readOne(...requests);
    return { output, calls: tool_calls?.map(({ tool, input, output: result }) => ({ tool, input, result })) };
  });
  expect(trajectories).toHaveLength(4);
  for (const each of trajectories) expect(each).toEqual(trajectories[0]);
});

describe('programs that tell of their calls in events', () => {
  const session = { 'session.id': 's1' };

  test('Claude Code: two spans and two events are one call, and a title is none of the conversation', () => {
    const request = {
      model: 'claude-sonnet-4-5',
      input_tokens: 100,
      output_tokens: 20,
      cache_read_tokens: 500,
      cache_creation_tokens: 50,
    };
    const side = {
      model: 'claude-sonnet-4-5',
      input_tokens: 7,
      output_tokens: 3,
      cache_read_tokens: 0,
      cache_creation_tokens: 0,
    };
    const last = { ...request, input_tokens: 130 };
    const trace = readOne(
      spans(
        {
          name: 'claude_code.llm_request',
          id: 'd0',
          parent: 'b1',
          from: 2,
          to: 4,
          attributes: { ...session, ...side },
        },
        {
          name: 'claude_code.llm_request',
          id: 'd1',
          parent: 'b1',
          from: 1,
          to: 10,
          attributes: { ...session, ...request },
        },
        {
          name: 'claude_code.tool',
          id: 'd2',
          parent: 'b1',
          from: 11,
          to: 20,
          attributes: { ...session, tool_name: 'Bash', tool_use_id: 'toolu_1' },
        },
        {
          name: 'claude_code.tool.execution',
          id: 'd3',
          parent: 'd2',
          from: 12,
          to: 19,
          attributes: { ...session, tool_use_id: 'toolu_1' },
        },
        {
          name: 'claude_code.llm_request',
          id: 'd4',
          parent: 'b1',
          from: 21,
          to: 30,
          attributes: { ...session, ...last },
        },
        { name: 'claude_code.interaction', id: 'b1', from: 0, to: 31, attributes: session },
      ),
      logs(
        { name: 'user_prompt', at: 1, attributes: { ...session, prompt: 'Count the lines' } },
        {
          name: 'api_request',
          at: 4,
          attributes: { ...session, ...side, cost_usd: 0.001, query_source: 'generate_session_title' },
        },
        {
          name: 'assistant_response',
          at: 4,
          attributes: { ...session, response: 'Counting', query_source: 'generate_session_title' },
        },
        {
          name: 'api_request',
          at: 10,
          span: 'b1',
          trace: 'a1',
          attributes: { ...session, ...request, cost_usd: 0.01, query_source: 'sdk' },
        },
        {
          name: 'assistant_response',
          at: 10,
          attributes: { ...session, response: 'I look.', query_source: 'sdk' },
        },
        {
          name: 'tool_result',
          at: 20,
          attributes: {
            ...session,
            tool_name: 'Bash',
            tool_use_id: 'toolu_1',
            success: 'true',
            duration_ms: '8',
            tool_input: '{"command":"wc -l < a.txt"}',
          },
        },
        {
          name: 'api_request',
          at: 30,
          attributes: { ...session, ...last, cost_usd: 0.02, query_source: 'sdk' },
        },
        {
          name: 'assistant_response',
          at: 30,
          attributes: { ...session, response: 'It has 3.', query_source: 'sdk' },
        },
      ),
    );
    expect(trace.output).toBe('It has 3.');
    expect(trace.tool_calls).toEqual([
      { tool: 'Bash', id: 'toolu_1', input: { command: 'wc -l < a.txt' }, status: 'ok', duration_ms: 9 },
    ]);
    expect(trace.model_calls).toBe(3);
    expect(trace.token_usage).toMatchObject({ input: 100 + 130 + 7 + 100, output: 43, cached: 1000 });
    expect(trace.cost_usd).toBeCloseTo(0.031);
  });

  test('Codex: the end of a response comes twice and counts once, and the answer is unknown', () => {
    const thread = { 'conversation.id': 'c1', model: 'gpt-5-mini' };
    const counts = {
      'event.kind': 'response.completed',
      input_token_count: '1100',
      output_token_count: '21',
      cached_token_count: 510,
    };
    const trace = readOne(
      logs(
        { name: 'codex.user_prompt', at: 1, attributes: { ...thread, prompt: 'Count' } },
        { name: 'codex.sse_event', at: 5, attributes: { ...thread, 'event.kind': 'response.completed' } },
        { name: 'codex.sse_event', at: 5, attributes: { ...thread, ...counts } },
        {
          name: 'codex.tool_result',
          at: 9,
          trace: 'a7',
          attributes: {
            ...thread,
            tool_name: 'exec_command',
            call_id: 'call_1',
            arguments: '{"cmd":"ls"}',
            output: 'a.txt',
            success: 'false',
            duration_ms: '3',
          },
        },
        { name: 'codex.sse_event', at: 12, attributes: { ...thread, ...counts } },
      ),
    );
    expect(trace).toMatchObject({ output: undefined, gap: undefined });
    expect(trace.warnings).toBeUndefined();
    expect(trace.model_calls).toBe(2);
    expect(trace.token_usage).toMatchObject({ input: 1180, output: 42, cached: 1020 });
    expect(trace.tool_calls).toEqual([
      {
        tool: 'exec_command',
        id: 'call_1',
        input: { cmd: 'ls' },
        output: 'a.txt',
        status: 'error',
        duration_ms: 3,
      },
    ]);
  });

  test('Codex without a call: its events would tell of one', () => {
    const counts = { 'event.kind': 'response.completed', input_token_count: '11', output_token_count: '2' };
    const attributes = { 'conversation.id': 'c1', model: 'gpt-5-mini', ...counts };
    expect(readOne(logs({ name: 'codex.sse_event', attributes }))).toMatchObject({
      tool_calls: [],
      gap: undefined,
    });
  });

  test('Gemini CLI: traces of their own are one conversation, and usage comes from its events', () => {
    const own = { 'gen_ai.conversation.id': 'c1', 'gen_ai.request.model': 'gemini-2.5-flash' };
    const call = { functionCall: { name: 'read_file', args: { path: 'a.txt' }, id: 'read_1' } };
    const said = (...parts: readonly Json[]): string =>
      JSON.stringify(parts.map((part) => ({ role: 'model', parts: [part] })));
    const use = (at: number): WrittenLog => ({
      name: 'gemini_cli.api_response',
      at,
      attributes: {
        'session.id': 'c1',
        model: 'gemini-2.5-flash',
        input_token_count: 1100 + at,
        output_token_count: 20,
        cached_content_token_count: 500,
        thoughts_token_count: 4,
        role: 'main',
      },
    });
    const trace = readOne(
      spans(
        {
          trace: 'a1',
          id: 'b1',
          from: 1,
          to: 10,
          attributes: {
            ...own,
            'gen_ai.operation.name': 'llm_call',
            'gen_ai.usage.input_tokens': 1110,
            'gen_ai.usage.output_tokens': 20,
            'gen_ai.output.messages': said({ text: 'I ' }, { text: 'look.' }, call),
          },
        },
        {
          trace: 'a2',
          id: 'b2',
          from: 11,
          to: 15,
          attributes: {
            'gen_ai.conversation.id': 'c1',
            'gen_ai.operation.name': 'tool_call',
            'gen_ai.tool.name': 'read_file',
            'gen_ai.tool.call_id': 'read_1',
            'gen_ai.input.messages': JSON.stringify({
              callId: 'read_1',
              name: 'read_file',
              args: { path: 'a.txt' },
            }),
            'gen_ai.output.messages': JSON.stringify({
              status: 'success',
              response: {
                responseParts: [{ functionResponse: { name: 'read_file', response: { output: 'three' } } }],
              },
            }),
          },
        },
        {
          trace: 'a3',
          id: 'b3',
          from: 20,
          to: 30,
          attributes: {
            ...own,
            'gen_ai.operation.name': 'llm_call',
            'gen_ai.usage.input_tokens': 1130,
            'gen_ai.usage.output_tokens': 20,
            'gen_ai.output.messages': said({ text: 'Three.' }),
          },
        },
      ),
      logs(use(10), use(30)),
    );
    expect(trace.output).toBe('Three.');
    expect(trace.tool_calls).toMatchObject([
      { tool: 'read_file', input: { path: 'a.txt' }, output: 'three', status: 'ok' },
    ]);
    expect(trace.model_calls).toBe(2);
    expect(trace.token_usage).toEqual({ input: 1240, output: 48, cached: 1000, reasoning: 8 });
  });
});

describe('calls that are told of several times', () => {
  test('the span of a client inside of the span of a framework is the same call', () => {
    const inner = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-5.2',
      'gen_ai.usage.input_tokens': 80,
      'gen_ai.usage.output_tokens': 10,
    };
    const trace = readOne(
      spans(...weatherSpans(), { id: 'e1', parent: 'c3', from: 31, to: 39, attributes: inner }),
    );
    expect(trace.model_calls).toBe(2);
    expect(trace.token_usage).toEqual({ input: 130, output: 25 });
  });

  test('the span of an MCP call inside of the span of its tool is the same call', () => {
    const inner = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'get_weather',
      'mcp.method.name': 'tools/call',
    };
    const trace = readOne(
      spans(...weatherSpans(), { id: 'e1', parent: 'c2', from: 21, to: 29, attributes: inner }),
    );
    expect(trace.tool_calls).toHaveLength(1);
  });

  test('a tool inside of another tool is a call of its own', () => {
    const inner = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'delete_all' };
    const trace = readOne(
      spans(...weatherSpans(), { id: 'e1', parent: 'c2', from: 21, to: 29, attributes: inner }),
    );
    expect(trace.tool_calls?.map(({ tool }) => tool)).toContain('delete_all');
  });
});

describe('conversations', () => {
  const both = (): readonly OtlpTrace[] =>
    readOtlp([spans(...weatherSpans({ trace: 'a1' }), ...weatherSpans({ trace: 'a2', tool: 'look' }))])
      .traces;

  test('two traces that nothing joins are two', () => {
    expect(both().map(({ steps }) => steps[0]?.trace.tool_calls?.map(({ tool }) => tool))).toEqual([
      ['get_weather'],
      ['look'],
    ]);
  });

  test('each message of a person in one conversation is a step', () => {
    const said = (id: string, from: number, users: readonly string[], answer: string): WrittenSpan => ({
      trace: `a${id}`,
      id: `b${id}`,
      from,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.conversation.id': 'k1',
        'gen_ai.input.messages': JSON.stringify(
          users.map((content) => ({ role: 'user', parts: [{ type: 'text', content }] })),
        ),
        'gen_ai.output.messages': JSON.stringify([
          { role: 'assistant', parts: [{ type: 'text', content: answer }] },
        ]),
      },
    });
    const { traces } = readOtlp([
      spans(said('1', 0, ['Hi'], 'Hello'), said('2', 50, ['Hi', 'Bye'], 'Good bye')),
    ]);
    expect(traces).toHaveLength(1);
    expect(traces[0]!.steps.map(({ input, trace }) => [input, trace.output])).toEqual([
      ['Hi', 'Hello'],
      ['Bye', 'Good bye'],
    ]);
  });
});

describe('what is missing is never taken for nothing', () => {
  const without = (...ids: readonly string[]): Trace =>
    readOne(spans(...weatherSpans().filter(({ id }) => !ids.includes(id!))));

  test('the answer to a tool is missing: the end of the conversation is unknown', () => {
    const trace = without('c2', 'c3');
    expect(trace).toMatchObject({
      output: undefined,
      is_cut: true,
      tool_calls: [{ tool: 'get_weather' }],
      token_usage: { input: 50 },
      usage_complete: false,
    });
    expect(trace.gap?.form).toContain('asks for a tool');
  });

  test('the call that asked is missing: a later request shows it', () => {
    expect(without('c1', 'c2').gap?.form).toContain('a model call is missing');
  });

  test('model calls without content and without spans of tools: tools are unknown, and the hint names the switch', () => {
    const bare = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-5.2',
      'gen_ai.usage.input_tokens': 5,
      'gen_ai.usage.output_tokens': 5,
    };
    const trace = readOne(spans({ attributes: bare }));
    expect(trace.tool_calls).toBeUndefined();
    expect(trace.output).toBeUndefined();
    expect(trace.gap?.form).toContain('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT');
  });

  test('an attribute that the exporter cut off', () => {
    const written = weatherSpans().map((span) =>
      span.id === 'c3'
        ? {
            ...span,
            attributes: {
              ...span.attributes!,
              'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"tool_ca',
            },
          }
        : span,
    );
    expect(readOne(spans(...written)).gap?.form).toContain('cut off');
  });

  test('spans of other things are no conversation', () => {
    expect(readOtlp([spans({ name: 'GET /', attributes: { 'http.method': 'GET' } })]).traces).toEqual([]);
  });
});

describe('bad input', () => {
  test('only requests of OTLP are taken for some', () => {
    expect([spans().body, logs().body].every(isOtlp)).toBe(true);
    const others: readonly Json[] = [
      null,
      [],
      'resourceSpans',
      { resourceSpans: {} },
      { spans: [] },
      { data: [] },
    ];
    expect(others.filter(isOtlp)).toEqual([]);
  });

  test('requests may be read one by one', () => {
    const reader = new OtlpReader();
    for (const span of weatherSpans()) reader.add(spans(span));
    const step: OtlpStep | undefined = reader.read().traces[0]?.steps[0];
    expect(step?.trace).toEqual(readOne(spans(...weatherSpans())));
  });

  test('parents that go round in a circle, that name themselves, and that are missing', () => {
    const trace = readOne(
      spans(
        ...weatherSpans().map((span) => ({ ...span, parent: span.id === 'b1' ? 'c1' : 'b1' })),
        { id: 'f1', parent: 'f1' },
        { id: 'f2', parent: 'ffff' },
      ),
    );
    expect(trace.tool_calls).toHaveLength(1);
  });

  test('a second span with the same id is a problem, and the rest is read', () => {
    const { traces, problems } = readOtlp([spans(...weatherSpans(), { id: 'c1', from: 99 })]);
    expect(traces[0]?.steps[0]?.trace.tool_calls).toHaveLength(1);
    expect(problems[0]?.message).toContain('a second span with this id');
  });

  test('spans without ids, and things that are no spans', () => {
    const broken: OtlpRequest = {
      body: { resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'x' }, 7] }] }, null, { scopeSpans: 'no' }] },
    };
    const { traces, problems } = readOtlp([broken, spans(...weatherSpans())]);
    expect(traces).toHaveLength(1);
    expect(problems.map(({ at }) => at)).toEqual([
      'resourceSpans[0].scopeSpans[0].spans[0]',
      'resourceSpans[0].scopeSpans[0].spans[1]',
      'resourceSpans[1]',
    ]);
  });

  test('clocks that are wrong by years', () => {
    const late = weatherSpans().map((span) =>
      span.id === 'c2' ? { ...span, from: -1e12, to: -1e12 } : span,
    );
    expect(readOne(spans(...late)).tool_calls).toMatchObject([
      { tool: 'get_weather', output: { temp_c: 12 } },
    ]);
  });

  test('protobuf that ends early, and bytes that are none', () => {
    const proto = TELEMETRY.find(({ id }) => id === 'ai7-proto')!.requests[0]!;
    const bytes = proto.body as Uint8Array;
    for (const length of [1, 7, 100, bytes.length - 1]) {
      const { problems } = readOtlp([{ ...proto, body: bytes.slice(0, length) }]);
      expect(problems[0]?.message).toContain('not protobuf of OTLP');
    }
    expect(readOtlp([{ ...proto, body: new Uint8Array(64).fill(255) }]).problems).toHaveLength(1);
  });

  test('names of properties of objects, deep values and text of all kinds', () => {
    let deep: Json = 'x';
    for (let depth = 0; depth < 500; depth++) deep = [deep];
    const hostile = {
      __proto__: 'x',
      constructor: 'y',
      'llm.input_messages.__proto__.message.role': 'user',
      'openinference.span.kind': 'LLM',
      'gen_ai.output.messages': '[['.repeat(5000),
      text: '\u0000\uD800',
      deep,
    };
    const { traces } = readOtlp([spans({ attributes: hostile as unknown as JsonObject })]);
    expect(traces).toHaveLength(1);
    expect(({} as Record<string, unknown>)['message']).toBeUndefined();
  });

  test('100,000 spans without a root are read in time that grows with their number', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => ({
      id: (index + 1).toString(16),
      parent: (index + 2).toString(16),
      from: index,
    }));
    const requests: OtlpRequest[] = [];
    for (let at = 0; at < many.length; at += 1000) requests.push(spans(...many.slice(at, at + 1000)));
    const last = {
      id: '1aaaaa',
      parent: '1',
      from: 1e6,
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look' },
    };
    const { traces, spans: count } = readOtlp([...requests, spans(last)]);
    expect(count).toBe(100_001);
    expect(traces[0]?.steps[0]?.trace.tool_calls).toEqual([expect.objectContaining({ tool: 'look' })]);
  });
});

function reverse(body: OtlpRequest['body']): OtlpRequest['body'] {
  if (body instanceof Uint8Array) return body;
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) =>
      key === 'spans' && Array.isArray(value) ? value.toReversed() : value,
    ),
  ) as Json;
}

function* withoutEachSpan(body: OtlpRequest['body']): Iterable<Json> {
  if (body instanceof Uint8Array) return;
  const text = JSON.stringify(body);
  const ids = [...text.matchAll(/"spanId":"([^"]+)"/g)].map(([, id]) => id);
  for (const id of ids)
    yield JSON.parse(text, (key, value: unknown) =>
      key === 'spans' ? (value as readonly JsonObject[]).filter(({ spanId }) => spanId !== id) : value,
    ) as Json;
}
