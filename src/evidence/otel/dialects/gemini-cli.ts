import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import { listAt, objectAt, readArguments, textAt, valueAt } from '../../foreign-fields.ts';
import { readContent } from '../../dialects/gemini-contents.ts';
import type { Entry } from '../../entry.ts';
import { inclusiveUsage } from '../../provider-usage.ts';
import { jsonAt } from '../content.ts';
import { modelAnswer, sentMessages, type Fact, type TelemetryDialect } from '../fact.ts';
import { amountAt } from '../read-telemetry.ts';
import { usageOf } from './genai.ts';

/** Gemini CLI: operations of its own under the names of the conventions, each model call a trace of its own, all of the usage in events. */
export const GEMINI_CLI: TelemetryDialect = {
  name: 'Gemini CLI',
  span({ attributes, isError }) {
    switch (textAt(attributes, 'gen_ai.operation.name')) {
      case 'llm_call': {
        const sent = entriesOf(jsonAt(attributes, 'gen_ai.input.messages'));
        const said = entriesOf(jsonAt(attributes, 'gen_ai.output.messages'));
        return [
          {
            kind: 'model',
            model: textAt(attributes, 'gen_ai.request.model'),
            usage: usageOf(attributes),
            request: sent && sentMessages(sent),
            answer: said && modelAnswer(said),
            failed: isError ? true : undefined,
          },
        ];
      }
      case 'tool_call':
        return [toolOf(attributes, isError)];
      case 'schedule_tool_calls':
      case 'user_prompt':
      case 'system_prompt':
      case 'agent_call':
        return [];
      default:
        return undefined;
    }
  },
  log({ name, scope, attributes }) {
    if (scope === 'gemini-cli' && name.startsWith('gen_ai.')) return [];
    if (!name.startsWith('gemini_cli.')) return undefined;
    if (name === 'gemini_cli.user_prompt') return [{ kind: 'prompt', text: textAt(attributes, 'prompt') }];
    if (name === 'gemini_cli.tool_call') {
      const success = valueAt(attributes, 'success');
      return [
        {
          kind: 'tool',
          tool: textAt(attributes, 'function_name'),
          input: readArguments(valueAt(attributes, 'function_args')),
          status: success === true ? 'ok' : success === false ? 'error' : undefined,
          durationMs: amountAt(attributes, 'duration_ms'),
        },
      ];
    }
    if (name !== 'gemini_cli.api_response') return [];
    const thoughts = amountAt(attributes, 'thoughts_token_count');
    const output = amountAt(attributes, 'output_token_count');
    return [
      {
        kind: 'model',
        model: textAt(attributes, 'model'),
        usage: inclusiveUsage({
          prompt: amountAt(attributes, 'input_token_count'),
          cached: amountAt(attributes, 'cached_content_token_count'),
          output: output === undefined ? undefined : output + (thoughts ?? 0),
          reasoning: thoughts,
        }),
        label: textAt(attributes, 'role'),
        isSide: SIDE.test(textAt(attributes, 'role') ?? '') ? true : undefined,
      },
    ];
  },
};

const SIDE = /^utility/;

function entriesOf(contents: Json | undefined): readonly Entry[] | undefined {
  if (contents === undefined) return undefined;
  return (isJsonList(contents) ? contents : [contents]).flatMap((each, index) =>
    readContent(each, `messages[${index}]`),
  );
}

/** The call is in what went in, and how it ended in what came out. */
function toolOf(attributes: JsonObject, isError: boolean): Fact {
  const call = jsonAt(attributes, 'gen_ai.input.messages');
  const end = jsonAt(attributes, 'gen_ai.output.messages');
  const asked = isJsonObject(call) ? call : {};
  const status = textAt(end, 'status');
  const response = objectAt(end, 'response');
  const parts = (response && listAt(response, 'responseParts')) ?? [];
  const result = readContent({ role: 'user', parts }, 'response').find((entry) => entry.kind === 'result');
  return {
    kind: 'tool',
    id: textAt(attributes, 'gen_ai.tool.call_id', 'gen_ai.tool.call.id') ?? textAt(asked, 'callId'),
    tool: textAt(attributes, 'gen_ai.tool.name') ?? textAt(asked, 'name'),
    input: readArguments(valueAt(asked, 'args')),
    output: result?.output,
    status: isError || status === 'error' ? 'error' : status === 'success' ? 'ok' : undefined,
  };
}
