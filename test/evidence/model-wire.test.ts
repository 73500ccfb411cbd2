import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/evidence/exchange.ts';
import { traceOfExchanges, type ObservedTrace } from '../../src/evidence/wire/trace-of-exchanges.ts';

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'evidence', 'model-wire');

interface Vector {
  readonly id: string;
  readonly shows: string;
  readonly files: readonly string[];
  readonly expected: string;
}

interface ExpectedStep extends Record<string, any> {
  readonly input: string;
}

const VECTORS = readFixture<readonly Vector[]>('index.json');

describe.each(VECTORS)('$id: $shows', ({ id, files, expected }) => {
  const { exchanges } = readFixture<{ exchanges: readonly Exchange[] }>(files[0]!);
  const { steps } = readFixture<{ steps: readonly ExpectedStep[] }>(expected);

  test.each(steps.map((step, index) => ({ step, number: index + 1 })))('step $number', ({ step, number }) => {
    const trace = traceOfExchanges(exchanges, number, { input: step.input });
    expect(trace.gap).toBeUndefined();
    expect(trace.warnings).toBeUndefined();
    expect(comparable(trace, step)).toEqual(wanted(id, step));
  });
});

/** The recording has no sign of it: the first agent's name is not sent. */
const NOT_ON_THE_WIRE = new Map([['responses-agents-handoff', 'Front']]);
/** Results of legacy functions are messages too: the recording counts only those with the role `tool`. */
const WITHOUT_RESULTS = 'chat-legacy-function';

function wanted(id: string, step: ExpectedStep): unknown {
  const hidden = NOT_ON_THE_WIRE.get(id);
  const known = (each: any): any => ({ ...each, agent: each.agent === hidden ? undefined : each.agent });
  const messages =
    id === WITHOUT_RESULTS
      ? step['messages'].toSpliced(1, 0, { role: 'tool', tool: 'get_weather' })
      : step['messages'];
  return {
    output: step['output'],
    tool_calls: step['tool_calls'].map((call: any) => {
      const { duration_ms: duration, output_also: _, result: __, output, ...rest } = known(call);
      return {
        ...rest,
        output: parsed(output),
        ...(duration === undefined ? {} : { duration_ms: duration.exact_from_timestamps }),
      };
    }),
    token_usage: step['token_usage'],
    usage_complete: step['usage_complete'],
    model_calls: step['model_calls'],
    models: step['models'],
    calls: step['calls'].map(known),
    messages,
    refusal: step['refusal'] ?? false,
    truncated: step['truncated'] ?? false,
  };
}

/** The trace, with what the recording does not compare left out. */
function comparable(trace: ObservedTrace, step: ExpectedStep): unknown {
  return {
    output: trace.output,
    tool_calls: trace.tool_calls?.map((call, index) => {
      const expected = step['tool_calls'][index] ?? {};
      const { tool, input, status, agent, executed_by } = call;
      return {
        tool,
        input,
        status,
        agent,
        executed_by,
        id: 'id' in expected ? call.id : undefined,
        output: parsed(call.output),
        duration_ms:
          expected.duration_ms === undefined ? undefined : Math.round((call.duration_ms ?? -1) * 10) / 10,
      };
    }),
    token_usage: withZeros(trace.token_usage),
    usage_complete: trace.usage_complete,
    model_calls: trace.model_calls,
    models: trace.models,
    calls: trace.calls.map((call) => ({ ...call, path: undefined, usage: withZeros(call.usage) })),
    messages: trace.messages?.map(slim),
    refusal: trace.refusal,
    truncated: trace.truncated,
  };
}

function slim(message: any): unknown {
  if (message.role === 'tool') return { role: 'tool', tool: message.tool, id: message.id };
  const calls = (message.tool_calls ?? []).filter((call: any) => call.executed_by === undefined);
  const asked = calls.map(({ tool, id }: any) => ({ tool, id }));
  return {
    role: message.role,
    content: message.content,
    ...(asked.length === 0 ? {} : { tool_calls: asked }),
  };
}

function withZeros(usage: any): unknown {
  return usage === undefined ? undefined : { cached: 0, reasoning: 0, ...usage };
}

/** Text that is JSON counts as that JSON. */
function parsed(output: unknown): unknown {
  if (typeof output !== 'string') return output;
  try {
    return JSON.parse(output);
  } catch {
    return output;
  }
}

function readFixture<T>(path: string): T {
  return JSON.parse(readFileSync(join(FOLDER, path), 'utf8')) as T;
}
