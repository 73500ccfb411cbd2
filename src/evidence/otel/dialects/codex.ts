import { readArguments, readOutput, textAt, valueAt } from '../../foreign-fields.ts';
import { inclusiveUsage } from '../../provider-usage.ts';
import type { TelemetryDialect } from '../fact.ts';
import { amountAt } from '../read-telemetry.ts';

/** Codex: all of it is in events; its spans have no content. The text of the answer is in neither. */
export const CODEX: TelemetryDialect = {
  name: 'Codex',
  span: ({ scope }) => (scope.startsWith('codex') ? [] : undefined),
  log({ name, attributes }) {
    if (!name.startsWith('codex.')) return undefined;
    switch (name) {
      case 'codex.user_prompt':
        return [{ kind: 'prompt', text: textAt(attributes, 'prompt') }];
      case 'codex.tool_result': {
        const success = textAt(attributes, 'success') ?? String(valueAt(attributes, 'success') ?? '');
        const agent = textAt(attributes, 'agent_name');
        const server = textAt(attributes, 'mcp_server') ?? '';
        const tool = textAt(attributes, 'tool_name');
        return [
          {
            kind: 'tool',
            id: textAt(attributes, 'call_id'),
            tool:
              server === '' || tool === undefined || tool.startsWith('mcp__')
                ? tool
                : `mcp__${server}__${tool}`,
            input: readArguments(valueAt(attributes, 'arguments')),
            output: readOutput(valueAt(attributes, 'output')),
            status: success === 'true' ? 'ok' : success === 'false' ? 'error' : undefined,
            durationMs: amountAt(attributes, 'duration_ms'),
            agent: agent === '/root' ? undefined : agent,
          },
        ];
      }
      default: {
        // The end of a response comes twice, and only one of them has counts.
        const usage = inclusiveUsage({
          prompt: amountAt(attributes, 'input_token_count'),
          cached: amountAt(attributes, 'cached_token_count'),
          output: amountAt(attributes, 'output_token_count'),
          reasoning: amountAt(attributes, 'reasoning_token_count'),
        });
        if (usage === undefined || textAt(attributes, 'event.kind') !== 'response.completed') return [];
        // However it ended: there is an event for each tool.
        return [{ kind: 'model', model: textAt(attributes, 'model', 'slug'), usage, finish: 'stop' }];
      }
    }
  },
};
