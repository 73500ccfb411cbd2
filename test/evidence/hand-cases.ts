import type { Recording } from './recordings.ts';

const USER = { role: 'user', content: 'Where is B7?' };
const SHIPPED = { id: 'B7', status: 'shipped' };
const CALL = { tool: 'get_order', input: { id: 'B7' } };

function chatCall(id: string, name: string, args: string): { id: string; type: string; function: object } {
  return { id, type: 'function', function: { name, arguments: args } };
}

/** Written by hand after the documentation of each program and the types of each package. */
export const HAND_CASES: readonly Recording[] = (
  [
    // OpenAI chat
    {
      id: 'chat: one message of text',
      value: { role: 'assistant', content: 'Hello.', refusal: null, annotations: [] },
      expected: { output: 'Hello.', tool_calls: [], token_usage: null },
    },
    {
      id: 'chat: one message with a call',
      value: { role: 'assistant', content: null, tool_calls: [chatCall('c1', 'get_order', '{"id":"B7"}')] },
      expected: { output: '', tool_calls: [{ ...CALL, id: 'c1', result: 'never seen' }] },
    },
    {
      id: 'chat: messages of text alone',
      value: [
        { role: 'system', content: 'S' },
        USER,
        { role: 'assistant', content: [{ type: 'text', text: 'Shipped.' }] },
      ],
      expected: { output: 'Shipped.', tool_calls: [], token_usage: null },
    },
    {
      id: 'chat: the turn before had calls, this one has none',
      value: {
        messages: [
          USER,
          { role: 'assistant', tool_calls: [chatCall('c1', 'get_order', '{"id":"B7"}')] },
          { role: 'tool', tool_call_id: 'c1', content: 'shipped' },
          { role: 'assistant', content: 'Shipped.' },
          { role: 'user', content: 'Thanks' },
          { role: 'assistant', content: 'You are welcome.' },
        ],
      },
      expected: { output: 'You are welcome.', tool_calls: [], gap: null },
    },
    {
      id: 'chat: calls of before there were tools, without ids',
      value: [
        USER,
        { role: 'assistant', content: null, function_call: { name: 'get_order', arguments: '{"id":"B7"}' } },
        { role: 'function', name: 'get_order', content: '{"id":"B7","status":"shipped"}' },
        { role: 'assistant', content: 'Shipped.' },
      ],
      expected: { output: 'Shipped.', tool_calls: [{ ...CALL, output: SHIPPED }] },
    },
    {
      id: 'chat: a custom tool takes text, and arguments may be broken JSON',
      value: {
        messages: [
          USER,
          {
            role: 'assistant',
            tool_calls: [
              { id: 'a', type: 'custom', custom: { name: 'run_sql', input: 'SELECT 1' } },
              chatCall('b', 'get_order', '{"id":'),
              chatCall('c', 'now', ''),
            ],
          },
          { role: 'tool', tool_call_id: 'c', content: '12:00' },
          { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: '[1]' }] },
        ],
      },
      expected: {
        output: '',
        tool_calls: [
          { tool: 'run_sql', input: 'SELECT 1', output: [1] },
          { tool: 'get_order', input: '{"id":', result: 'never seen' },
          { tool: 'now', input: {}, output: '12:00' },
        ],
      },
    },
    {
      id: 'chat: a block of another API hides what it holds',
      value: {
        messages: [
          USER,
          { role: 'assistant', content: [{ type: 'tool_code', code: 'x' }], tool_calls: [] },
          { role: 'tool', tool_call_id: 'c1', name: 'get_order', content: 'x' },
          { role: 'assistant', content: 'Done.' },
        ],
      },
      expected: {
        output: 'Done.',
        tool_calls: [{ tool: 'get_order', id: 'c1', output: 'x' }],
        gap: 'type: tool_code',
      },
    },
    {
      id: 'chat: the result of a call that is not there',
      value: [
        USER,
        { role: 'tool', tool_call_id: 'c1', content: 'x' },
        { role: 'assistant', content: 'Done.' },
      ],
      expected: { output: 'Done.', tool_calls: null, gap: 'the result of a tool call' },
    },
    {
      id: 'chat: a completion of text with cached and reasoning tokens',
      value: {
        object: 'chat.completion',
        model: 'gpt-5.2',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
        usage: {
          prompt_tokens: 100,
          completion_tokens: 30,
          total_tokens: 130,
          prompt_tokens_details: { cached_tokens: 64 },
          completion_tokens_details: { reasoning_tokens: 20 },
        },
      },
      expected: {
        output: 'Hi.',
        tool_calls: [],
        token_usage: { input: 36, output: 30, cached: 64, reasoning: 20 },
        models: ['gpt-5.2'],
        model_calls: 1,
      },
    },
    {
      id: 'chat: the chunks of a stream with parallel calls',
      value: [
        {
          object: 'chat.completion.chunk',
          id: 'x',
          model: 'm',
          choices: [{ index: 0, delta: { role: 'assistant' } }],
        },
        chunk([{ index: 0, id: 'a', type: 'function', function: { name: 'get_order', arguments: '' } }]),
        chunk([{ index: 1, id: 'b', type: 'function', function: { name: 'now', arguments: '' } }]),
        chunk([{ index: 0, function: { arguments: '{"id":' } }]),
        chunk([{ index: 1, function: { arguments: '{}' } }]),
        chunk([{ index: 0, function: { arguments: '"B7"}' } }]),
        { object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
        {
          object: 'chat.completion.chunk',
          choices: [],
          usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
        },
      ],
      expected: {
        output: '',
        tool_calls: [
          { ...CALL, id: 'a' },
          { tool: 'now', id: 'b', input: {} },
        ],
        token_usage: { input: 9, output: 4 },
        gap: null,
      },
    },
    {
      id: 'chat: a stream that breaks off in a call',
      value: [
        chunk([{ index: 0, id: 'a', type: 'function', function: { name: 'get_order', arguments: '{"id' } }]),
      ],
      expected: { tool_calls: null, token_usage: null, gap: 'ended early' },
    },

    // OpenAI Responses
    {
      id: 'responses: a response with a search, a text and two calls',
      value: {
        object: 'response',
        status: 'completed',
        model: 'gpt-5.2',
        output: [
          { type: 'reasoning', id: 'rs_1', summary: [] },
          {
            type: 'web_search_call',
            id: 'ws_1',
            status: 'completed',
            action: { type: 'search', query: 'B7' },
          },
          {
            type: 'message',
            id: 'm',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
          },
          { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'get_order', arguments: '{"id":"B7"}' },
          { type: 'custom_tool_call', id: 'ct_1', call_id: 'c2', name: 'run_sql', input: 'SELECT 1' },
        ],
        usage: {
          input_tokens: 50,
          input_tokens_details: { cached_tokens: 10 },
          output_tokens: 20,
          output_tokens_details: { reasoning_tokens: 5 },
          total_tokens: 70,
        },
      },
      expected: {
        output: 'I look.',
        tool_calls: [
          { tool: 'web_search', id: 'ws_1', input: { type: 'search', query: 'B7' }, executed_by: 'provider' },
          { ...CALL, id: 'c1', result: 'never seen' },
          { tool: 'run_sql', id: 'c2', input: 'SELECT 1' },
        ],
        token_usage: { input: 40, cached: 10, output: 20, reasoning: 5 },
        models: ['gpt-5.2'],
      },
    },
    {
      id: 'responses: one that failed',
      value: {
        object: 'response',
        status: 'failed',
        error: { code: 'server_error', message: 'Overloaded' },
        output: [],
      },
      expected: { failure: 'Overloaded' },
    },
    {
      id: 'responses: the events of a stream',
      value: [
        { type: 'response.created', response: { id: 'r', object: 'response', output: [] } },
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: { type: 'message', role: 'assistant', content: [] },
        },
        { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hi.' },
        {
          type: 'response.completed',
          response: {
            object: 'response',
            model: 'm',
            status: 'completed',
            output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] }],
            usage: { input_tokens: 5, output_tokens: 2 },
          },
        },
      ],
      expected: { output: 'Hi.', tool_calls: [], token_usage: { input: 5, output: 2 }, gap: null },
    },
    {
      id: 'responses: items with an approval, an MCP call that failed, and an item nobody knows',
      value: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Where is B7?' }] },
        {
          type: 'mcp_approval_request',
          id: 'ap_1',
          name: 'get_order',
          arguments: '{"id":"B7"}',
          server_label: 'shop',
        },
        { type: 'mcp_approval_response', approval_request_id: 'ap_1', approve: true },
        {
          type: 'mcp_call',
          id: 'mcp_1',
          approval_request_id: 'ap_1',
          name: 'get_order',
          arguments: '{"id":"B7"}',
          output: null,
          error: 'timeout',
        },
        { type: 'quantum_call', id: 'q' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It failed.' }] },
      ],
      expected: {
        output: 'It failed.',
        tool_calls: [{ ...CALL, id: 'mcp_1', output: 'timeout', status: 'error', executed_by: 'provider' }],
        gap: 'quantum_call',
      },
    },

    // Anthropic
    {
      id: 'anthropic: a message with a call',
      value: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-6',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 't1', name: 'get_order', input: { id: 'B7' } },
        ],
        stop_reason: 'tool_use',
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 5,
          cache_read_input_tokens: 70,
          output_tokens: 8,
        },
      },
      expected: {
        output: 'I look.',
        tool_calls: [{ ...CALL, id: 't1', result: 'never seen' }],
        token_usage: { input: 15, cached: 70, output: 8 },
        models: ['claude-sonnet-4-6'],
      },
    },
    {
      id: 'anthropic: the events of a stream',
      value: [
        {
          type: 'message_start',
          message: {
            id: 'm',
            type: 'message',
            role: 'assistant',
            model: 'c',
            content: [],
            usage: { input_tokens: 9, output_tokens: 1 },
          },
        },
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', id: 't', name: 'get_order', input: {} },
        },
        {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'input_json_delta', partial_json: '{"id":"B7"}' },
        },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 12 } },
        { type: 'message_stop' },
      ],
      expected: { tool_calls: [{ ...CALL, id: 't' }], token_usage: { input: 9, output: 12 }, gap: null },
    },
    {
      id: 'anthropic: a tool of the provider, and a reminder beside a result',
      value: [
        { role: 'user', content: 'Moon?' },
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'moon' } },
            {
              type: 'web_search_tool_result',
              tool_use_id: 's1',
              content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
            },
            { type: 'tool_use', id: 't1', name: 'get_order', input: { id: 'B7' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 't1',
              content: [{ type: 'text', text: 'shipped' }],
              is_error: false,
            },
            { type: 'text', text: '<system-reminder>Be brief.</system-reminder>' },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'Full.' }] },
      ],
      expected: {
        output: 'Full.',
        tool_calls: [
          { tool: 'web_search', id: 's1', status: 'error', executed_by: 'provider' },
          { ...CALL, id: 't1', output: 'shipped', status: 'ok' },
        ],
      },
    },

    // Gemini
    {
      id: 'gemini: contents of two turns with parallel calls and no ids',
      value: {
        contents: [
          { role: 'user', parts: [{ text: 'Hello' }] },
          { role: 'model', parts: [{ text: 'Hi.' }] },
          { role: 'user', parts: [{ text: 'A0 and B7?' }] },
          {
            role: 'model',
            parts: [
              { text: 'Two orders.', thought: true },
              { functionCall: { name: 'get_order', args: { id: 'A0' } }, thoughtSignature: 'x' },
              { functionCall: { name: 'get_order', args: { id: 'B7' } } },
            ],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { name: 'get_order', response: { error: 'no such order' } } },
              { functionResponse: { name: 'get_order', response: { output: SHIPPED } } },
            ],
          },
          { role: 'model', parts: [{ text: 'B7 ' }, { text: 'shipped.' }] },
        ],
      },
      expected: {
        output: 'B7 shipped.',
        tool_calls: [
          { tool: 'get_order', input: { id: 'A0' }, output: { error: 'no such order' }, status: 'error' },
          { ...CALL, output: SHIPPED },
        ],
        token_usage: null,
      },
    },
    {
      id: 'gemini: the chunks of a stream, as Python writes them',
      value: [
        {
          candidates: [{ content: { role: 'model', parts: [{ text: 'Shi' }] } }],
          usage_metadata: { prompt_token_count: 9, candidates_token_count: 1 },
        },
        {
          candidates: [{ content: { role: 'model', parts: [{ text: 'pped.' }] }, finish_reason: 'STOP' }],
          usage_metadata: {
            prompt_token_count: 9,
            candidates_token_count: 3,
            thoughts_token_count: 4,
            cached_content_token_count: 2,
          },
          model_version: 'gemini-3-flash',
        },
      ],
      expected: {
        output: 'Shipped.',
        tool_calls: [],
        token_usage: { input: 7, cached: 2, output: 7, reasoning: 4 },
        models: ['gemini-3-flash'],
        gap: null,
      },
    },
    {
      id: 'gemini: a response that asks for a call',
      value: {
        candidates: [
          {
            content: { role: 'model', parts: [{ functionCall: { name: 'get_order', args: { id: 'B7' } } }] },
            finishReason: 'STOP',
          },
        ],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      },
      expected: {
        output: '',
        tool_calls: [{ ...CALL, result: 'never seen' }],
        token_usage: { input: 10, output: 5 },
      },
    },

    {
      id: 'gemini: a response as Python writes it, with a part that nobody knows',
      value: {
        candidates: [
          {
            content: {
              role: 'model',
              parts: [
                { text: null, thought: null, function_call: null, hologram: { size: 3 } },
                { text: 'Shipped.', thought: null, function_call: null, hologram: null },
              ],
            },
            finish_reason: 'STOP',
          },
        ],
        usage_metadata: null,
      },
      expected: { output: 'Shipped.', tool_calls: null, token_usage: null, gap: 'hologram' },
    },
    {
      id: 'gemini: the SDK ran the tools by itself',
      value: {
        candidates: [{ content: { role: 'model', parts: [{ text: 'Shipped.' }] }, finish_reason: 'STOP' }],
        automatic_function_calling_history: [
          { role: 'user', parts: [{ text: 'Where is B7?' }] },
          { role: 'model', parts: [{ function_call: { name: 'get_order', args: { id: 'B7' } } }] },
          { role: 'user', parts: [{ function_response: { name: 'get_order', response: SHIPPED } }] },
        ],
        usage_metadata: { prompt_token_count: 10, candidates_token_count: 5 },
      },
      expected: {
        output: 'Shipped.',
        tool_calls: [{ ...CALL, output: SHIPPED }],
        token_usage: { input: 10, output: 5 },
        usage_complete: false,
      },
    },

    // Bedrock
    {
      id: 'bedrock: a response with a call',
      value: {
        output: {
          message: {
            role: 'assistant',
            content: [
              { text: 'I look.' },
              { toolUse: { toolUseId: 'u', name: 'get_order', input: { id: 'B7' } } },
            ],
          },
        },
        stopReason: 'tool_use',
        usage: {
          inputTokens: 10,
          outputTokens: 5,
          totalTokens: 45,
          cacheReadInputTokens: 20,
          cacheWriteInputTokens: 10,
        },
        metrics: { latencyMs: 400 },
      },
      expected: {
        output: 'I look.',
        tool_calls: [{ ...CALL, id: 'u', result: 'never seen' }],
        token_usage: { input: 20, cached: 20, output: 5 },
      },
    },
    {
      id: 'bedrock: messages of text alone',
      value: {
        messages: [
          { role: 'user', content: [{ text: 'Hi' }] },
          { role: 'assistant', content: [{ text: 'Hello.' }] },
        ],
      },
      expected: { output: 'Hello.', tool_calls: [] },
    },

    // AI SDK
    {
      id: 'ai sdk: messages with a tool that failed and one that was denied',
      value: [
        { role: 'user', content: [{ type: 'text', text: 'A0?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'tool-call', toolCallId: 'c1', toolName: 'get_order', input: { id: 'A0' } },
            { type: 'tool-call', toolCallId: 'c2', toolName: 'refund', input: {} },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c1',
              toolName: 'get_order',
              output: { type: 'error-text', value: 'no such order' },
            },
            {
              type: 'tool-result',
              toolCallId: 'c2',
              toolName: 'refund',
              output: { type: 'execution-denied', reason: 'no' },
            },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'No.' }] },
      ],
      expected: {
        output: 'No.',
        tool_calls: [
          { tool: 'get_order', id: 'c1', input: { id: 'A0' }, output: 'no such order', status: 'error' },
          { tool: 'refund', id: 'c2', status: 'error' },
        ],
      },
    },
    {
      id: 'ai sdk: a result whose tool failed, of which JSON keeps nothing but what the model was told',
      value: {
        steps: [
          {
            content: [
              { type: 'tool-call', toolCallId: 'c1', toolName: 'get_order', input: { id: 'A0' } },
              { type: 'tool-error', toolCallId: 'c1', toolName: 'get_order', input: { id: 'A0' }, error: {} },
            ],
            finishReason: 'tool-calls',
            usage: { inputTokens: 10, outputTokens: 2 },
            response: {
              modelId: 'm',
              messages: [
                {
                  role: 'tool',
                  content: [
                    {
                      type: 'tool-result',
                      toolCallId: 'c1',
                      toolName: 'get_order',
                      output: { type: 'error-text', value: 'no such order' },
                    },
                  ],
                },
              ],
            },
          },
          {
            content: [{ type: 'text', text: 'No.' }],
            finishReason: 'stop',
            usage: { inputTokens: 20, outputTokens: 3 },
            response: { modelId: 'm' },
          },
        ],
      },
      expected: {
        output: 'No.',
        tool_calls: [
          { tool: 'get_order', id: 'c1', input: { id: 'A0' }, output: 'no such order', status: 'error' },
        ],
        token_usage: { input: 30, output: 5 },
        model_calls: 2,
      },
    },
    {
      id: 'ai sdk: the getters without the steps tell of the last step alone',
      value: {
        text: 'Done.',
        finishReason: 'stop',
        toolCalls: [],
        usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 },
      },
      expected: {
        output: 'Done.',
        tool_calls: null,
        token_usage: { input: 10, output: 2 },
        usage_complete: false,
        gap: 'steps',
      },
    },
    {
      id: 'ai sdk: the getters without the reason why the step ended',
      value: { text: 'Done.', toolCalls: [], usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 } },
      expected: {
        output: 'Done.',
        tool_calls: null,
        token_usage: { input: 10, output: 2 },
        usage_complete: false,
        gap: 'steps',
      },
    },
    {
      id: 'ai sdk: generateObject',
      value: {
        object: { status: 'shipped' },
        finishReason: 'stop',
        usage: { inputTokens: 10, outputTokens: 2 },
        warnings: [],
      },
      expected: { output: '{"status":"shipped"}', tool_calls: [], token_usage: { input: 10, output: 2 } },
    },
    {
      id: 'ai sdk: the parts of a full stream',
      value: [
        { type: 'start' },
        { type: 'start-step', request: {}, warnings: [] },
        { type: 'tool-input-start', id: 'c1', toolName: 'get_order' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'get_order', input: { id: 'B7' } },
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'get_order',
          input: { id: 'B7' },
          output: SHIPPED,
        },
        {
          type: 'finish-step',
          finishReason: 'tool-calls',
          usage: { inputTokens: 10, outputTokens: 2 },
          response: { modelId: 'm' },
        },
        { type: 'start-step', request: {}, warnings: [] },
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', text: 'Ship' },
        { type: 'text-delta', id: 't', text: 'ped.' },
        { type: 'text-end', id: 't' },
        {
          type: 'finish-step',
          finishReason: 'stop',
          usage: { inputTokens: 20, outputTokens: 3 },
          response: { modelId: 'm' },
        },
        { type: 'finish', finishReason: 'stop', totalUsage: { inputTokens: 30, outputTokens: 5 } },
      ],
      expected: {
        output: 'Shipped.',
        tool_calls: [{ ...CALL, id: 'c1', output: SHIPPED }],
        token_usage: { input: 30, output: 5 },
        models: ['m'],
        gap: null,
      },
    },
    {
      id: 'ui: one message of text',
      value: {
        id: 'm1',
        role: 'assistant',
        parts: [{ type: 'step-start' }, { type: 'text', text: 'Hi.', state: 'done' }],
      },
      expected: { output: 'Hi.', tool_calls: [] },
    },
    {
      id: 'ui: parts of version 4, of a dynamic tool, and of data',
      value: [
        { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Both?' }] },
        {
          id: 'a',
          role: 'assistant',
          parts: [
            {
              type: 'tool-invocation',
              toolInvocation: {
                state: 'result',
                toolCallId: 'c1',
                toolName: 'get_order',
                args: { id: 'B7' },
                result: SHIPPED,
              },
            },
            { type: 'dynamic-tool', toolName: 'now', toolCallId: 'c2', state: 'input-available', input: {} },
            { type: 'data-chart', data: {} },
            { type: 'text', text: 'Shipped.' },
          ],
        },
      ],
      expected: {
        output: 'Shipped.',
        tool_calls: [
          { ...CALL, id: 'c1', output: SHIPPED, status: 'ok' },
          { tool: 'now', id: 'c2', result: 'never seen' },
        ],
        gap: null,
      },
    },
    {
      id: 'ui: a stream that ends in an error',
      value: [
        { type: 'start' },
        { type: 'start-step' },
        { type: 'tool-input-start', toolCallId: 'c1', toolName: 'get_order' },
        { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"id' },
        { type: 'error', errorText: 'Overloaded' },
      ],
      expected: { tool_calls: null, failure: 'Overloaded', gap: 'Overloaded' },
    },

    // LangChain
    {
      id: 'langchain: one message with blocks of Anthropic',
      value: {
        lc: 1,
        type: 'constructor',
        id: ['langchain_core', 'messages', 'AIMessage'],
        kwargs: {
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 't1', name: 'get_order', input: { id: 'B7' } },
          ],
          tool_calls: [{ name: 'get_order', args: { id: 'B7' }, id: 't1', type: 'tool_call' }],
          usage_metadata: {
            input_tokens: 100,
            output_tokens: 9,
            total_tokens: 109,
            input_token_details: { cache_read: 60, cache_creation: 30 },
          },
          response_metadata: { model: 'claude-sonnet-4-6' },
        },
      },
      expected: {
        output: 'I look.',
        tool_calls: [{ ...CALL, id: 't1', result: 'never seen' }],
        token_usage: { input: 40, cached: 60, output: 9 },
        models: ['claude-sonnet-4-6'],
      },
    },
    {
      id: 'langchain: the last message alone',
      value: {
        type: 'ai',
        content: 'Shipped.',
        tool_calls: [],
        additional_kwargs: {},
        response_metadata: {},
      },
      expected: { output: 'Shipped.', tool_calls: [] },
    },
    {
      id: 'langchain: a state with structured output, a call that could not be parsed, and one only the provider wrote',
      value: {
        messages: [
          { type: 'human', content: 'B7?' },
          {
            type: 'ai',
            content: '',
            additional_kwargs: {},
            tool_calls: [],
            invalid_tool_calls: [
              { name: 'get_order', args: '{"id":', id: 'c1', error: 'bad JSON', type: 'invalid_tool_call' },
            ],
          },
          {
            type: 'tool',
            content: 'Error: bad JSON',
            tool_call_id: 'c1',
            name: 'get_order',
            status: 'error',
          },
          {
            type: 'ai',
            content: '',
            tool_calls: [],
            additional_kwargs: { tool_calls: [chatCall('c2', 'get_order', '{"id":"B7"}')] },
          },
          {
            type: 'tool',
            content: [{ type: 'text', text: 'shipped' }],
            tool_call_id: 'c2',
            status: 'success',
          },
          { type: 'ai', content: 'Done.', additional_kwargs: {}, response_metadata: {} },
        ],
        structuredResponse: { status: 'shipped' },
      },
      expected: {
        output: '{"status":"shipped"}',
        tool_calls: [
          { tool: 'get_order', id: 'c1', input: '{"id":', output: 'Error: bad JSON', status: 'error' },
          { ...CALL, id: 'c2', output: 'shipped', status: 'ok' },
        ],
        token_usage: null,
      },
    },
    {
      id: 'langgraph: a stream of updates',
      value: [
        {
          agent: {
            messages: [
              {
                type: 'ai',
                content: '',
                tool_calls: [{ name: 'get_order', args: { id: 'B7' }, id: 'c1' }],
                additional_kwargs: {},
              },
            ],
          },
        },
        {
          tools: {
            messages: [
              {
                type: 'tool',
                content: '{"id":"B7","status":"shipped"}',
                tool_call_id: 'c1',
                name: 'get_order',
              },
            ],
          },
        },
        { agent: { messages: [{ type: 'ai', content: 'Shipped.', tool_calls: [], additional_kwargs: {} }] } },
      ],
      expected: { output: 'Shipped.', tool_calls: [{ ...CALL, id: 'c1', output: SHIPPED }] },
    },
    {
      id: 'langgraph: a stream of values',
      value: [
        { messages: [{ type: 'human', content: 'Hi', additional_kwargs: {} }] },
        {
          messages: [
            { type: 'human', content: 'Hi', additional_kwargs: {} },
            { type: 'ai', content: 'Hello.', additional_kwargs: {} },
          ],
        },
      ],
      expected: { output: 'Hello.', tool_calls: [] },
    },
    {
      id: 'langgraph: a stream of messages in pieces',
      value: [
        piece({
          id: 'r1',
          content: '',
          tool_call_chunks: [{ name: 'get_order', args: '', id: 'c1', index: 0 }],
        }),
        piece({
          id: 'r1',
          content: '',
          tool_call_chunks: [{ args: '{"id":"B7"}', index: 0 }],
          usage_metadata: { input_tokens: 9, output_tokens: 3 },
        }),
        [
          {
            type: 'tool',
            content: '{"id":"B7","status":"shipped"}',
            tool_call_id: 'c1',
            name: 'get_order',
            id: 't1',
          },
          {},
        ],
        piece({ id: 'r2', content: 'Ship' }),
        piece({ id: 'r2', content: 'ped.', usage_metadata: { input_tokens: 12, output_tokens: 2 } }),
      ],
      expected: {
        output: 'Shipped.',
        tool_calls: [{ ...CALL, id: 'c1', output: SHIPPED }],
        token_usage: { input: 21, output: 5 },
      },
    },

    // OpenAI Agents
    {
      id: 'agents: a hand-over between two agents, as Python writes it',
      value: {
        input: 'B7?',
        new_items: [
          runItem('handoff_call_item', 'Triage', {
            type: 'function_call',
            call_id: 'c1',
            name: 'transfer_to_orders',
            arguments: '{}',
          }),
          runItem('handoff_output_item', 'Triage', {
            type: 'function_call_output',
            call_id: 'c1',
            output: '{"assistant":"Orders"}',
          }),
          runItem('tool_call_item', 'Orders', {
            type: 'function_call',
            call_id: 'c2',
            name: 'get_order',
            arguments: '{"id":"B7"}',
          }),
          runItem('tool_call_output_item', 'Orders', {
            type: 'function_call_output',
            call_id: 'c2',
            output: 'shipped',
          }),
        ],
        raw_responses: [
          {
            usage: {
              requests: 1,
              input_tokens: 50,
              output_tokens: 5,
              input_tokens_details: { cached_tokens: 10 },
              output_tokens_details: { reasoning_tokens: 2 },
            },
          },
          {
            usage: {
              requests: 1,
              input_tokens: 60,
              output_tokens: 6,
              input_tokens_details: { cached_tokens: 0 },
              output_tokens_details: { reasoning_tokens: 0 },
            },
          },
        ],
        final_output: { status: 'shipped' },
      },
      expected: {
        output: '{"status":"shipped"}',
        tool_calls: [
          {
            tool: 'transfer_to_orders',
            id: 'c1',
            input: {},
            output: { assistant: 'Orders' },
            agent: 'Triage',
          },
          { ...CALL, id: 'c2', output: 'shipped', agent: 'Orders' },
        ],
        token_usage: { input: 100, cached: 10, output: 11, reasoning: 2 },
        model_calls: 2,
      },
    },
    {
      id: 'agents: a run that waits for an approval, without usage',
      value: {
        newItems: [
          item('tool_call_item', {
            type: 'function_call',
            callId: 'c1',
            name: 'refund',
            arguments: '{"id":"B7"}',
          }),
          item('tool_approval_item', {
            type: 'function_call',
            callId: 'c1',
            name: 'refund',
            arguments: '{"id":"B7"}',
          }),
        ],
        state: { usage: { requests: 1, inputTokens: 0, outputTokens: 0, totalTokens: 0 } },
      },
      expected: {
        output: '',
        tool_calls: [{ tool: 'refund', id: 'c1', input: { id: 'B7' }, result: 'never seen' }],
        token_usage: null,
      },
    },
    {
      id: 'agents: the events of a streamed run',
      value: [
        { type: 'agent_updated_stream_event', agent: { name: 'Desk' } },
        {
          type: 'run_item_stream_event',
          name: 'tool_called',
          item: item('tool_call_item', {
            type: 'function_call',
            callId: 'c1',
            name: 'get_order',
            arguments: '{"id":"B7"}',
          }),
        },
        {
          type: 'run_item_stream_event',
          name: 'tool_output',
          item: item('tool_call_output_item', {
            type: 'function_call_result',
            callId: 'c1',
            name: 'get_order',
            output: { type: 'text', text: 'shipped' },
          }),
        },
        {
          type: 'raw_model_stream_event',
          data: {
            type: 'response_done',
            response: { id: 'r', output: [], usage: { inputTokens: 9, outputTokens: 3 } },
          },
        },
        {
          type: 'run_item_stream_event',
          name: 'message_output_created',
          item: item('message_output_item', {
            type: 'message',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'Shipped.' }],
          }),
        },
      ],
      expected: {
        output: 'Shipped.',
        tool_calls: [{ ...CALL, id: 'c1', output: 'shipped' }],
        token_usage: { input: 9, output: 3 },
      },
    },

    // Mastra
    {
      id: 'mastra: a tool that failed',
      value: {
        text: 'No.',
        steps: [
          {
            stepType: 'initial',
            toolCalls: [
              {
                type: 'tool-call',
                runId: 'r',
                from: 'AGENT',
                payload: { toolCallId: 'c1', toolName: 'get_order', args: { id: 'A0' } },
              },
            ],
            toolResults: [
              {
                type: 'tool-result',
                runId: 'r',
                from: 'AGENT',
                payload: { toolCallId: 'c1', toolName: 'get_order', isError: true, result: 'no such order' },
              },
            ],
            content: [],
            usage: { inputTokens: 10, outputTokens: 2, cachedInputTokens: 4 },
          },
          {
            stepType: 'tool-result',
            toolCalls: [],
            toolResults: [],
            content: [{ type: 'text', text: 'No.' }],
            text: 'No.',
            usage: { inputTokens: 20, outputTokens: 1 },
          },
        ],
        runId: 'r',
      },
      expected: {
        output: 'No.',
        tool_calls: [
          { tool: 'get_order', id: 'c1', input: { id: 'A0' }, output: 'no such order', status: 'error' },
        ],
        token_usage: { input: 26, cached: 4, output: 3 },
      },
    },

    {
      id: 'mastra: a tool that failed has no result in its step, and the text is that of all steps',
      value: {
        text: 'I look.No.',
        steps: [
          {
            stepType: 'initial',
            toolCalls: [
              {
                type: 'tool-call',
                runId: 'r',
                from: 'AGENT',
                payload: { toolCallId: 'c1', toolName: 'get_order', args: { id: 'A0' } },
              },
            ],
            toolResults: [],
            content: [],
            text: 'I look.',
            response: {
              messages: [
                {
                  role: 'tool',
                  content: [
                    {
                      type: 'tool-result',
                      toolCallId: 'c1',
                      toolName: 'get_order',
                      output: { type: 'error-text', value: 'no such order' },
                    },
                  ],
                },
              ],
            },
          },
          {
            stepType: 'tool-result',
            toolCalls: [],
            toolResults: [],
            content: [{ type: 'text', text: 'No.' }],
            text: 'No.',
          },
        ],
        totalUsage: { inputTokens: 30, outputTokens: 3, cachedInputTokens: 4 },
      },
      expected: {
        output: 'No.',
        tool_calls: [
          { tool: 'get_order', id: 'c1', input: { id: 'A0' }, output: 'no such order', status: 'error' },
        ],
        token_usage: { input: 26, cached: 4, output: 3 },
      },
    },
    {
      id: 'mastra: the chunks of a stream',
      value: [
        mastra('start', { id: 'desk' }),
        mastra('step-start', {}),
        mastra('tool-call-input-streaming-start', { toolCallId: 'c1', toolName: 'get_order' }),
        mastra('tool-call', { toolCallId: 'c1', toolName: 'get_order', args: { id: 'A0' } }),
        mastra('tool-error', {
          toolCallId: 'c1',
          toolName: 'get_order',
          error: { name: 'Error', cause: { message: 'no such order' } },
        }),
        mastra('step-finish', {
          metadata: { modelId: 'm' },
          output: { usage: { inputTokens: 10, outputTokens: 2 } },
        }),
        mastra('step-start', {}),
        mastra('text-delta', { id: 't', text: 'No.' }),
        mastra('step-finish', {
          metadata: { modelId: 'm' },
          output: { usage: { inputTokens: 20, outputTokens: 1 } },
        }),
        mastra('finish', { output: { usage: { inputTokens: 30, outputTokens: 3 } } }),
      ],
      expected: {
        output: 'No.',
        tool_calls: [
          { tool: 'get_order', id: 'c1', input: { id: 'A0' }, output: 'no such order', status: 'error' },
        ],
        token_usage: { input: 30, output: 3 },
        models: ['m'],
        gap: null,
      },
    },

    // ADK
    {
      id: 'adk: an error instead of an answer',
      value: [
        {
          invocationId: 'e',
          author: 'desk',
          id: 'x',
          actions: {},
          errorCode: 'RESOURCE_EXHAUSTED',
          errorMessage: 'Quota exceeded',
        },
      ],
      expected: { output: null, failure: 'Quota exceeded' },
    },

    // Claude Code and the Claude Agent SDK
    {
      id: 'claude: the result alone tells nothing of tools',
      value: {
        type: 'result',
        subtype: 'success',
        is_error: false,
        duration_ms: 900,
        num_turns: 1,
        result: 'Three.',
        session_id: 's-1',
        total_cost_usd: 0.25,
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 5,
          cache_read_input_tokens: 20,
          output_tokens: 7,
        },
        modelUsage: {
          big: { inputTokens: 10, outputTokens: 7, cacheReadInputTokens: 20, cacheCreationInputTokens: 5 },
          small: { inputTokens: 3, outputTokens: 1, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
        },
      },
      expected: {
        output: 'Three.',
        tool_calls: null,
        token_usage: { input: 18, cached: 20, output: 8 },
        cost_usd: 0.25,
        session_id: 's-1',
        models: ['big', 'small'],
        failure: null,
      },
    },
    {
      id: 'claude: a sub-agent, and a message in two lines whose usage counts once',
      value: [
        { type: 'system', subtype: 'init', session_id: 's', model: 'big' },
        claude({
          id: 'm1',
          content: [{ type: 'text', text: 'I ask.' }],
          usage: { input_tokens: 5, output_tokens: 1 },
        }),
        claude({
          id: 'm1',
          content: [
            {
              type: 'tool_use',
              id: 'task',
              name: 'Task',
              input: { subagent_type: 'reader', prompt: 'Read' },
            },
          ],
          usage: { input_tokens: 5, output_tokens: 1 },
        }),
        {
          type: 'user',
          message: { role: 'user', content: [{ type: 'text', text: 'Read' }] },
          parent_tool_use_id: 'task',
          session_id: 's',
        },
        claude(
          {
            id: 'm2',
            content: [{ type: 'tool_use', id: 'r1', name: 'Read', input: { file_path: 'a.txt' } }],
          },
          'task',
        ),
        {
          type: 'user',
          message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'r1', content: 'one' }] },
          parent_tool_use_id: 'task',
          session_id: 's',
        },
        claude({ id: 'm3', content: [{ type: 'text', text: 'It says one.' }] }, 'task'),
        {
          type: 'user',
          message: {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'task', content: [{ type: 'text', text: 'It says one.' }] },
            ],
          },
          parent_tool_use_id: null,
          session_id: 's',
        },
        claude({ id: 'm4', content: [{ type: 'text', text: 'One.' }] }),
        {
          type: 'result',
          subtype: 'success',
          is_error: false,
          result: 'One.',
          session_id: 's',
          num_turns: 2,
          usage: { input_tokens: 12, output_tokens: 9 },
        },
      ],
      expected: {
        output: 'One.',
        tool_calls: [
          { tool: 'Task', id: 'task', output: 'It says one.', status: 'ok' },
          {
            tool: 'Read',
            id: 'r1',
            input: { file_path: 'a.txt' },
            output: 'one',
            status: 'ok',
            agent: 'reader',
          },
        ],
        token_usage: { input: 12, output: 9 },
        model_calls: 4,
        gap: null,
      },
    },
    {
      id: 'claude: too many turns is a failure, and the calls are known',
      value: [
        claude({
          id: 'm1',
          content: [{ type: 'tool_use', id: 'b', name: 'Bash', input: { command: 'ls' } }],
        }),
        {
          type: 'result',
          subtype: 'error_max_turns',
          is_error: true,
          session_id: 's',
          num_turns: 1,
          errors: ['Reached maximum number of turns (1)'],
        },
      ],
      expected: {
        output: null,
        tool_calls: [{ tool: 'Bash', id: 'b', input: { command: 'ls' }, result: 'never seen' }],
        failure: 'Reached maximum number of turns (1)',
      },
    },
    {
      id: 'claude: an API error is a failure and no answer',
      value: {
        type: 'result',
        subtype: 'success',
        is_error: true,
        result: 'API Error: 529',
        session_id: 's',
        num_turns: 1,
      },
      expected: { output: null, failure: 'API Error: 529' },
    },
    {
      id: 'claude: a stream that broke off',
      value: [
        claude({
          id: 'm1',
          content: [{ type: 'text', text: 'I look' }],
          usage: { input_tokens: 5, output_tokens: 1 },
        }),
      ],
      expected: { tool_calls: null, usage_complete: false, gap: 'without a result' },
    },
    {
      id: 'claude: two turns in one process report running totals',
      value: [
        {
          type: 'result',
          subtype: 'success',
          is_error: false,
          result: 'One.',
          session_id: 's',
          total_cost_usd: 1,
          modelUsage: {
            m: { inputTokens: 10, outputTokens: 2, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
          },
        },
        claude({ id: 'm2', content: [{ type: 'text', text: 'Two.' }] }),
        {
          type: 'result',
          subtype: 'success',
          is_error: false,
          result: 'Two.',
          session_id: 's',
          total_cost_usd: 1.5,
          modelUsage: {
            m: { inputTokens: 25, outputTokens: 5, cacheReadInputTokens: 8, cacheCreationInputTokens: 0 },
          },
        },
      ],
      expected: {
        output: 'Two.',
        tool_calls: [],
        token_usage: { input: 15, cached: 8, output: 3 },
        cost_usd: 0.5,
      },
    },

    // Codex
    {
      id: 'codex: a command, an MCP tool and a patch',
      value: [
        { type: 'thread.started', thread_id: 't-1' },
        { type: 'turn.started' },
        { type: 'item.completed', item: { id: 'i0', type: 'reasoning', text: 'Hm.' } },
        {
          type: 'item.started',
          item: {
            id: 'i1',
            type: 'command_execution',
            command: 'ls',
            aggregated_output: '',
            exit_code: null,
            status: 'in_progress',
          },
        },
        {
          type: 'item.completed',
          item: {
            id: 'i1',
            type: 'command_execution',
            command: 'ls',
            aggregated_output: 'a.txt\n',
            exit_code: 0,
            status: 'completed',
          },
        },
        {
          type: 'item.completed',
          item: {
            id: 'i2',
            type: 'mcp_tool_call',
            server: 'shop',
            tool: 'get_order',
            arguments: { id: 'B7' },
            result: { content: [{ type: 'text', text: '{"id":"B7","status":"shipped"}' }] },
            status: 'completed',
          },
        },
        {
          type: 'item.completed',
          item: {
            id: 'i3',
            type: 'file_change',
            changes: [{ path: 'a.txt', kind: 'update' }],
            status: 'completed',
          },
        },
        { type: 'item.completed', item: { id: 'i4', type: 'agent_message', text: 'Done.' } },
        {
          type: 'turn.completed',
          usage: { input_tokens: 100, cached_input_tokens: 60, output_tokens: 9, reasoning_output_tokens: 4 },
        },
      ],
      expected: {
        output: 'Done.',
        tool_calls: [
          { tool: 'shell', input: { command: 'ls' }, output: 'a.txt\n', status: 'ok' },
          { tool: 'mcp__shop__get_order', input: { id: 'B7' }, output: SHIPPED, status: 'ok' },
          { tool: 'apply_patch', input: { changes: [{ path: 'a.txt', kind: 'update' }] }, status: 'ok' },
        ],
        token_usage: { input: 40, cached: 60, output: 9, reasoning: 4 },
        session_id: 't-1',
        gap: null,
      },
    },
    {
      id: 'codex: a turn that failed',
      value: [
        { type: 'thread.started', thread_id: 't-1' },
        { type: 'turn.started' },
        { type: 'error', message: 'stream error; retrying' },
        { type: 'turn.failed', error: { message: '401 Unauthorized' } },
      ],
      expected: { failure: '401 Unauthorized', token_usage: null, session_id: 't-1' },
    },

    // Gemini CLI
    {
      id: 'gemini cli: a tool that failed, and thoughts that only the total holds',
      value: [
        { type: 'init', session_id: 's', model: 'gemini-3-pro' },
        { type: 'message', role: 'user', content: 'Read' },
        { type: 'tool_use', tool_name: 'read_file', tool_id: 'r1', parameters: { path: 'x' } },
        {
          type: 'tool_result',
          tool_id: 'r1',
          status: 'error',
          error: { type: 'FILE_NOT_FOUND', message: 'not found' },
        },
        { type: 'message', role: 'assistant', content: 'It is ', delta: true },
        { type: 'message', role: 'assistant', content: 'gone.', delta: true },
        {
          type: 'result',
          status: 'success',
          stats: { total_tokens: 130, input_tokens: 100, output_tokens: 10, cached: 40, duration_ms: 5 },
        },
      ],
      expected: {
        output: 'It is gone.',
        tool_calls: [
          { tool: 'read_file', id: 'r1', input: { path: 'x' }, output: 'not found', status: 'error' },
        ],
        token_usage: { input: 60, cached: 40, output: 30, reasoning: 20 },
        models: ['gemini-3-pro'],
        session_id: 's',
        gap: null,
      },
    },
    {
      id: 'gemini cli: one object counts the calls and does not list them',
      value: {
        session_id: 's',
        response: 'Three.',
        stats: {
          models: {
            'gemini-3-pro': {
              api: { totalRequests: 2 },
              tokens: { prompt: 100, candidates: 10, total: 115, cached: 40, thoughts: 5, tool: 0 },
            },
          },
          tools: { totalCalls: 1, byName: { read_file: { count: 1 } } },
        },
      },
      expected: {
        output: 'Three.',
        tool_calls: null,
        token_usage: { input: 60, cached: 40, output: 15, reasoning: 5 },
        models: ['gemini-3-pro'],
        model_calls: 2,
      },
    },
    {
      id: 'gemini cli: one object without calls',
      value: { response: 'Hi.', stats: { models: {}, tools: { totalCalls: 0 } } },
      expected: { output: 'Hi.', tool_calls: [], token_usage: null },
    },

    {
      id: 'gemini cli: a run that could not start',
      value: {
        session_id: 's',
        error: { type: 'FatalAuthenticationError', message: 'Set an API key', code: 41 },
      },
      expected: { output: null, tool_calls: null, failure: 'Set an API key' },
    },

    // opencode
    {
      id: 'opencode: a tool that failed, and reasoning beside the output',
      value: [
        opencode('step_start', { type: 'step-start', messageID: 'm1' }),
        opencode('tool_use', {
          type: 'tool',
          tool: 'read',
          callID: 'c1',
          messageID: 'm1',
          state: {
            status: 'error',
            input: { filePath: 'x' },
            error: 'not found',
            time: { start: 10, end: 25 },
          },
        }),
        opencode('step_finish', {
          type: 'step-finish',
          messageID: 'm1',
          cost: 0.25,
          tokens: { total: 120, input: 50, output: 5, reasoning: 15, cache: { read: 40, write: 10 } },
        }),
        opencode('step_start', { type: 'step-start', messageID: 'm2' }),
        opencode('text', { type: 'text', messageID: 'm2', text: 'Gone.' }),
        opencode('step_finish', {
          type: 'step-finish',
          messageID: 'm2',
          cost: 0.5,
          tokens: { input: 60, output: 2, reasoning: 0, cache: { read: 0, write: 0 } },
        }),
      ],
      expected: {
        output: 'Gone.',
        tool_calls: [
          {
            tool: 'read',
            id: 'c1',
            input: { filePath: 'x' },
            output: 'not found',
            status: 'error',
            duration_ms: 15,
          },
        ],
        token_usage: { input: 120, cached: 40, output: 22, reasoning: 15 },
        cost_usd: 0.75,
        session_id: 'ses_1',
        model_calls: 2,
        gap: null,
      },
    },
    {
      id: 'opencode: an error',
      value: [
        { type: 'error', sessionID: 'ses_1', error: { name: 'APIError', data: { message: 'Invalid key' } } },
      ],
      expected: { failure: 'Invalid key', tool_calls: null },
    },

    // Pydantic AI, CrewAI, MCP
    {
      id: 'pydantic ai: a result with structured output, which comes as a call that is none',
      value: {
        output: { status: 'shipped' },
        _state: {
          message_history: [
            { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'Hello' }] },
            {
              kind: 'response',
              parts: [{ part_kind: 'text', content: 'Hi.' }],
              usage: { input_tokens: 3, output_tokens: 1 },
            },
            { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'B7?' }] },
            {
              kind: 'response',
              parts: [
                { part_kind: 'tool-call', tool_name: 'get_order', args: '{"id":"B7"}', tool_call_id: 'p1' },
              ],
              usage: {
                input_tokens: 50,
                cache_read_tokens: 20,
                output_tokens: 5,
                details: { reasoning_tokens: 2 },
              },
              model_name: 'gpt-5.2',
            },
            {
              kind: 'request',
              parts: [
                { part_kind: 'tool-return', tool_name: 'get_order', content: SHIPPED, tool_call_id: 'p1' },
              ],
            },
            {
              kind: 'response',
              parts: [
                {
                  part_kind: 'tool-call',
                  tool_name: 'final_result',
                  args: { status: 'shipped' },
                  tool_call_id: 'p2',
                },
              ],
              usage: { input_tokens: 60, output_tokens: 6 },
            },
            {
              kind: 'request',
              parts: [
                {
                  part_kind: 'tool-return',
                  tool_name: 'final_result',
                  content: 'Final result processed.',
                  tool_call_id: 'p2',
                },
              ],
            },
          ],
        },
        _new_message_index: 2,
      },
      expected: {
        output: '{"status":"shipped"}',
        tool_calls: [{ ...CALL, id: 'p1', output: SHIPPED }],
        token_usage: { input: 90, cached: 20, output: 11, reasoning: 2 },
        models: ['gpt-5.2'],
      },
    },
    {
      id: 'crewai: the answer and the tokens',
      value: {
        raw: 'Shipped.',
        pydantic: null,
        json_dict: null,
        tasks_output: [{ description: 'Look', raw: 'Shipped.', agent: 'Clerk' }],
        token_usage: {
          total_tokens: 120,
          prompt_tokens: 100,
          cached_prompt_tokens: 30,
          completion_tokens: 20,
          successful_requests: 3,
        },
      },
      expected: {
        output: 'Shipped.',
        tool_calls: null,
        token_usage: { input: 70, cached: 30, output: 20 },
        model_calls: 3,
      },
    },
    {
      id: 'mcp: the result of a tool that failed',
      value: { content: [{ type: 'text', text: 'no such order' }], isError: true },
      expected: { output: 'no such order', tool_calls: null, token_usage: null },
    },
    {
      id: 'mcp: as Python writes it',
      value: {
        meta: null,
        content: [{ type: 'text', text: 'shipped', annotations: null, meta: null }],
        structuredContent: null,
        isError: false,
      },
      expected: { output: 'shipped', tool_calls: null },
    },
    {
      id: 'mcp: structured content without text',
      value: { content: [], structuredContent: SHIPPED },
      expected: { output: '{"id":"B7","status":"shipped"}', tool_calls: null },
    },
  ] as readonly Omit<Recording, 'input'>[]
).map((recording) => ({ ...recording, input: 'Where is B7?' }));

function chunk(calls: readonly object[]): object {
  return { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { tool_calls: calls } }] };
}

function piece(fields: object): readonly object[] {
  return [{ type: 'AIMessageChunk', additional_kwargs: {}, ...fields }, { langgraph_node: 'agent' }];
}

function item(type: string, rawItem: object): object {
  return { type, rawItem, agent: { name: 'Desk' } };
}

function runItem(type: string, agent: string, raw: object): object {
  return { type, raw_item: raw, agent: { name: agent } };
}

function claude(message: object, parent: string | null = null): object {
  return {
    type: 'assistant',
    message: { type: 'message', role: 'assistant', model: 'big', ...message },
    parent_tool_use_id: parent,
    session_id: 's',
  };
}

function opencode(type: string, part: object): object {
  return { type, timestamp: 1, sessionID: 'ses_1', part };
}

function mastra(type: string, payload: object): object {
  return { type, runId: 'r', from: 'AGENT', payload };
}
