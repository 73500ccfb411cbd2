import { isJsonObject, type JsonObject } from '../../../base/model/json.ts';
import type { Entry } from '../../entry.ts';
import { readArguments, readOutput, textAt, valueAt } from '../../foreign-fields.ts';
import { jsonAt, toList, unflatten } from '../content.ts';
import { modelAnswer, sentMessages, type TelemetryDialect } from '../fact.ts';
import { usageOf } from './genai.ts';

/** OpenLLMetry, of Traceloop, where it does not follow the conventions: messages flattened into attributes, and kinds of its own. */
export const TRACELOOP: TelemetryDialect = {
  name: 'OpenLLMetry',
  span({ attributes, name, isError }) {
    const kind = textAt(attributes, 'traceloop.span.kind');
    const entity = textAt(attributes, 'traceloop.entity.name') ?? name;
    if (kind === 'tool')
      return [
        {
          kind: 'tool',
          id: textAt(attributes, 'gen_ai.tool.call.id'),
          tool: textAt(attributes, 'gen_ai.tool.name') ?? entity,
          input: argumentsOf(jsonAt(attributes, 'traceloop.entity.input')),
          output: readOutput(
            resultOf(
              jsonAt(attributes, 'traceloop.entity.output') ?? valueAt(attributes, 'traceloop.entity.output'),
            ),
          ),
          status: isError ? 'error' : undefined,
        },
      ];
    if (kind === 'agent') return [{ kind: 'agent', name: entity }];
    const input = unflatten(attributes, 'gen_ai.prompt');
    const output = unflatten(attributes, 'gen_ai.completion');
    if (input === undefined && output === undefined && textAt(attributes, 'llm.request.type') !== 'chat')
      return kind === undefined ? undefined : [];
    return [
      {
        kind: 'model',
        id: textAt(attributes, 'gen_ai.response.id'),
        model: textAt(attributes, 'gen_ai.request.model', 'gen_ai.response.model'),
        usage: usageOf(attributes),
        request: input && sentMessages(input.flatMap(readMessage)),
        answer: output && modelAnswer(output.flatMap((each) => readMessage({ role: 'assistant', ...each }))),
        finish: output?.map((each) => textAt(each, 'finish_reason') ?? '').join(),
        failed: isError ? true : undefined,
      },
    ];
  },
};

function readMessage(message: JsonObject): readonly Entry[] {
  const text = textAt(message, 'content');
  switch (textAt(message, 'role')) {
    case 'system':
      return [{ kind: 'system', text: text ?? '' }];
    case 'user':
      return [{ kind: 'user', text: text ?? '' }];
    case 'tool':
      return [{ kind: 'result', id: textAt(message, 'tool_call_id'), output: readOutput(text) }];
    default: {
      const calls = toList(message['tool_calls']).flatMap((call) => {
        const tool = textAt(call, 'name');
        return tool === undefined
          ? []
          : [
              {
                tool,
                id: textAt(call as JsonObject, 'id'),
                input: readArguments(valueAt(call as JsonObject, 'arguments')),
              },
            ];
      });
      return [{ kind: 'assistant', text, calls }];
    }
  }
}

/** `{inputs: {...}}`, `{args: [], kwargs: {...}}`, or the arguments alone. */
function argumentsOf(value: ReturnType<typeof jsonAt>): ReturnType<typeof jsonAt> {
  if (!isJsonObject(value)) return value;
  return readArguments(valueAt(value, 'inputs', 'kwargs', 'input') ?? value);
}

function resultOf(value: ReturnType<typeof jsonAt>): ReturnType<typeof jsonAt> {
  return isJsonObject(value) && Object.keys(value).length <= 2 ? (valueAt(value, 'output') ?? value) : value;
}
