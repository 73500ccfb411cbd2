import { isJsonObject, type JsonObject } from '../../../base/model/json.ts';
import { readArguments, readOutput, textAt, valueAt } from '../../foreign-fields.ts';
import { anthropicUsage } from '../../provider-usage.ts';
import { jsonAt } from '../content.ts';
import type { Fact, ModelFact, TelemetryDialect } from '../fact.ts';
import { amountAt } from '../read-telemetry.ts';
import type { Span } from '../telemetry.ts';

/** Claude Code: spans have times, events have prompts, answers and arguments. A tool has two spans and two events. */
export const CLAUDE_CODE: TelemetryDialect = {
  name: 'Claude Code',
  span(span) {
    if (!span.name.startsWith('claude_code.')) return undefined;
    const { attributes } = span;
    switch (span.name) {
      case 'claude_code.llm_request':
        return [modelOf(attributes, span.isError)];
      case 'claude_code.tool':
        return [toolOf(span)];
      default:
        return [];
    }
  },
  log({ name, attributes }) {
    const own = name.replace(/^claude_code\./, '');
    // The names of these events are short, so others may use them too.
    if (own === name && textAt(attributes, 'session.id') === undefined) return undefined;
    switch (own) {
      case 'user_prompt':
        return [{ kind: 'prompt', text: textAt(attributes, 'prompt') }];
      case 'api_request':
        return [{ ...modelOf(attributes, false), ...purposeOf(attributes) }];
      case 'assistant_response': {
        const text = textAt(attributes, 'response');
        const answer = text === undefined ? undefined : { text, calls: [], unknown: [] };
        return [{ kind: 'model', isPart: true, answer, ...purposeOf(attributes) }];
      }
      case 'tool_result':
        return [resultOf(attributes)];
      default:
        return OTHERS.has(own) || own !== name ? [] : undefined;
    }
  },
};

const OTHERS: ReadonlySet<string> = new Set([
  'tool_decision',
  'api_error',
  'api_request_body',
  'api_response_body',
]);

function modelOf(attributes: JsonObject, isError: boolean): ModelFact {
  const usage: Record<string, number> = {};
  for (const [name, own] of COUNTS) {
    const count = amountAt(attributes, own);
    if (count !== undefined) usage[name] = count;
  }
  return {
    kind: 'model',
    id: textAt(attributes, 'request_id'),
    model: textAt(attributes, 'model', 'gen_ai.request.model'),
    usage: anthropicUsage(usage),
    finish: textAt(attributes, 'stop_reason'),
    failed: isError ? true : undefined,
    firstTokenMs: amountAt(attributes, 'ttft_ms'),
    costUsd: amountAt(attributes, 'cost_usd'),
  };
}

const COUNTS = [
  ['input_tokens', 'input_tokens'],
  ['output_tokens', 'output_tokens'],
  ['cache_read_input_tokens', 'cache_read_tokens'],
  ['cache_creation_input_tokens', 'cache_creation_tokens'],
] as const;

/** What it calls its own model calls for: titles and summaries are no part of the conversation. */
function purposeOf(attributes: JsonObject): Pick<ModelFact, 'label' | 'isSide'> {
  const label = textAt(attributes, 'query_source');
  return { label, isSide: label !== undefined && SIDE.test(label) ? true : undefined };
}

const SIDE = /title|summar|topic|compact|classif|suggest|prompt_hook|haiku/;

function toolOf({ attributes, events, isError }: Span): Fact {
  const given = events.find(({ name }) => name === 'tool.output')?.attributes ?? {};
  const command = textAt(attributes, 'full_command');
  return {
    kind: 'tool',
    id: textAt(attributes, 'tool_use_id', 'gen_ai.tool.call.id'),
    tool: textAt(attributes, 'tool_name'),
    input:
      readArguments(valueAt(attributes, 'tool_input')) ?? (command === undefined ? undefined : { command }),
    output: readOutput(valueAt(given, 'output', 'content')),
    status: isError ? 'error' : undefined,
  };
}

/** Of a tool of an MCP server the parameters name both. */
function resultOf(attributes: JsonObject): Fact {
  const parameters = jsonAt(attributes, 'tool_parameters');
  const own = isJsonObject(parameters) ? parameters : {};
  const server = textAt(own, 'mcp_server_name');
  const tool = textAt(own, 'mcp_tool_name');
  const success = textAt(attributes, 'success') ?? String(valueAt(attributes, 'success') ?? '');
  return {
    kind: 'tool',
    id: textAt(attributes, 'tool_use_id'),
    tool:
      server !== undefined && tool !== undefined
        ? `mcp__${server}__${tool}`
        : textAt(attributes, 'tool_name'),
    input: readArguments(valueAt(attributes, 'tool_input')),
    output: readOutput(valueAt(attributes, 'tool_output', 'error')),
    status: success === 'true' ? 'ok' : success === 'false' ? 'error' : undefined,
    durationMs: amountAt(attributes, 'duration_ms'),
  };
}
