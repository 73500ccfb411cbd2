import { describe, expect, test } from 'vitest';
import { mergeSources } from './merge-sources.ts';
import type { Trace } from './trace.ts';

/** What a loop by hand returns: the response after the tool's result. */
const LAST_RESPONSE: Trace = {
  output: 'Berlin is 15 °C.',
  tool_calls: [],
  messages: [{ role: 'assistant', content: 'Berlin is 15 °C.' }],
  token_usage: { input: 90, output: 10, cached: 60 },
  model_calls: 1,
  is_last_response: true,
};

const CALL = { tool: 'get_weather', id: 'call_1', input: { city: 'Berlin' } };
const BOTH_RESPONSES: Trace = {
  output: 'Berlin is 15 °C.',
  tool_calls: [CALL],
  token_usage: { input: 150, output: 30, cached: 100 },
  model_calls: 2,
};

describe('an agent that returns the last of several responses', () => {
  test('is judged by all observed responses, without a disagreement', () => {
    const { reply, warnings } = mergeSources({
      reported: {},
      recognised: LAST_RESPONSE,
      observed: BOTH_RESPONSES,
    });
    expect(reply).toMatchObject({
      output: 'Berlin is 15 °C.',
      tools_used: ['get_weather'],
      tool_calls: [CALL],
      token_usage: { input: 150, output: 30, cached: 100 },
      evidence: { output: 'recognised', tool_calls: 'observed', token_usage: 'observed' },
    });
    expect(reply.unreported_calls).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  test('has unknown calls if some of the other responses could not be read', () => {
    const gap = { at: 'the stream of call 1', form: 'it ended early' };
    const observed: Trace = { gap, model_calls: 1 };
    const { reply } = mergeSources({ reported: {}, recognised: LAST_RESPONSE, observed });
    expect(reply.trace_gap).toEqual({ kind: 'incomplete', ...gap });
    expect(reply.tool_calls).toBeUndefined();
  });

  test('disagrees if its response has a call that was not observed', () => {
    const recognised = { ...LAST_RESPONSE, tool_calls: [{ tool: 'delete_account', id: 'call_9' }] };
    const { reply, warnings } = mergeSources({ reported: {}, recognised, observed: BOTH_RESPONSES });
    expect(reply.unreported_calls).toMatchObject([{ tool: 'delete_account' }]);
    expect(warnings.map(({ code }) => code)).toEqual(['calls_disagree']);
  });

  test('is used as it is if there was only one response', () => {
    const { reply } = mergeSources({
      reported: {},
      recognised: LAST_RESPONSE,
      observed: { ...LAST_RESPONSE, is_last_response: undefined },
    });
    expect(reply).toMatchObject({ tool_calls: [], evidence: { tool_calls: 'observed' } });
  });
});

test('a tool that model and program name differently is one tool', () => {
  const recognised: Trace = {
    output: 'Done.',
    tool_calls: [{ tool: 'shell', id: 'item_1', input: { command: "/bin/bash -lc 'ls'" } }],
    tool_aliases: { exec_command: 'shell' },
  };
  const seen = { tool: 'exec_command', id: 'call_1', input: { cmd: 'ls' }, duration_ms: 5 };
  const merge = (tool_calls: Trace['tool_calls']) =>
    mergeSources({ reported: {}, recognised, observed: { tool_calls, model_calls: 2 } });
  const { reply, warnings } = merge([seen]);
  expect(reply.tool_calls).toMatchObject([{ ...recognised.tool_calls![0]!, duration_ms: 5 }]);
  expect(warnings).toEqual([]);
  expect(merge([seen, seen]).reply.unreported_calls).toMatchObject([{ tool: 'shell' }]);
});
