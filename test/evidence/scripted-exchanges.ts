import type { Exchange } from '../../src/evidence/exchange.ts';
import type { Json, JsonObject } from '../../src/base/model/json.ts';

/** Exchanges of an agent that a test makes up: each answer comes 10 ms after its request, 20 ms after the one before. */

interface Scripted {
  readonly step?: number;
  readonly model?: string;
  readonly messages: readonly Json[];
  readonly tools?: readonly string[];
  /** Further fields of the request. */
  readonly with?: JsonObject;
  readonly text?: string;
  readonly calls?: readonly (readonly [tool: string, input: JsonObject, id?: string])[];
  /** Fields of the exchange that differ. */
  readonly exchange?: Partial<Exchange>;
}

/** Chat completions. Each call gets a new id, unless the script gives one. */
export function chatExchanges(script: readonly Scripted[]): readonly Exchange[] {
  return script.map((scripted, index) => {
    const request = {
      model: scripted.model ?? 'gpt-5.2',
      messages: scripted.messages,
      ...(scripted.tools === undefined ? {} : { tools: scripted.tools.map(chatTool) }),
      ...scripted.with,
    };
    const calls = (scripted.calls ?? []).map(([name, input, id], at) => ({
      id: id ?? `call_${index + 1}_${at}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }));
    const message = {
      role: 'assistant',
      content: scripted.text ?? null,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    const response = {
      id: `chatcmpl-${index + 1}`,
      model: 'gpt-5.2-2026-04-14',
      choices: [{ index: 0, message, finish_reason: calls.length === 0 ? 'stop' : 'tool_calls' }],
      usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
    };
    return exchangeAt(index, '/v1/chat/completions', {
      step: scripted.step ?? 1,
      request,
      response,
      ...scripted.exchange,
    });
  });
}

function chatTool(name: string): Json {
  return { type: 'function', function: { name, parameters: { type: 'object' } } };
}

/** Any API: the request, the response, and what differs. */
export function exchangeAt(index: number, path: string, fields: Partial<Exchange>): Exchange {
  return {
    seq: index + 1,
    step: 1,
    started_ms: index * 20,
    ended_ms: index * 20 + 10,
    method: 'POST',
    path,
    status: 200,
    response_headers: {},
    ...fields,
  };
}

export function user(content: string): Json {
  return { role: 'user', content };
}

export function system(content: string): Json {
  return { role: 'system', content };
}

/** A chat message that asks for calls, as a program sends it back. */
export function asked(...calls: readonly (readonly [id: string, tool: string, input: JsonObject])[]): Json {
  return {
    role: 'assistant',
    content: null,
    tool_calls: calls.map(([id, name, input]) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
}

export function said(content: string): Json {
  return { role: 'assistant', content };
}

export function result(id: string, content: string): Json {
  return { role: 'tool', tool_call_id: id, content };
}

/** Server-sent events as a server writes them. */
export function eventStream(events: readonly Json[], end = ''): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + end;
}
