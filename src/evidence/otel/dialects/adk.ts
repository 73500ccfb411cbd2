import { isJsonObject } from '../../../base/model/json.ts';
import { readContent } from '../../dialects/gemini-contents.ts';
import { listAt, objectAt, readArguments, readOutput, textAt, valueAt } from '../../foreign-fields.ts';
import { geminiUsage } from '../../provider-usage.ts';
import { jsonAt } from '../content.ts';
import { modelAnswer, sentMessages, type TelemetryDialect } from '../fact.ts';
import { usageOf } from './genai.ts';

/** Google's ADK: requests and responses are in attributes of `call_llm`, the rest follows the conventions. */
export const ADK: TelemetryDialect = {
  name: 'Google ADK',
  span({ name, attributes, isError }) {
    const system = textAt(attributes, 'gen_ai.system', 'gen_ai.provider.name');
    if (system !== 'gcp.vertex.agent') return undefined;
    if (name === 'call_llm') {
      const request = jsonAt(attributes, 'gcp.vertex.agent.llm_request');
      const response = jsonAt(attributes, 'gcp.vertex.agent.llm_response');
      const contents = listAt(request, 'contents');
      const content = objectAt(response, 'content');
      const sent = contents?.flatMap((each, index) => readContent(each, `contents[${index}]`));
      return [
        {
          kind: 'model',
          id: textAt(attributes, 'gcp.vertex.agent.event_id'),
          model: textAt(attributes, 'gen_ai.request.model'),
          usage: geminiUsage(objectAt(response, 'usage_metadata', 'usageMetadata')) ?? usageOf(attributes),
          request: sent && sentMessages(sent),
          answer: content && modelAnswer(readContent(content, 'content')),
          failed: isError ? true : undefined,
        },
      ];
    }
    const tool = textAt(attributes, 'gen_ai.tool.name') ?? /^execute_tool (.+)$/.exec(name)?.[1];
    // What ADK merges is listed once more, for its own debugging.
    if (tool === undefined || tool.startsWith('(merged')) return tool === undefined ? undefined : [];
    const result = jsonAt(attributes, 'gcp.vertex.agent.tool_response');
    const wrapped =
      isJsonObject(result) && Object.keys(result).length === 1 ? valueAt(result, 'result') : undefined;
    return [
      {
        kind: 'tool',
        id: textAt(attributes, 'gen_ai.tool.call.id', 'gcp.vertex.agent.tool_call_id'),
        tool,
        input: readArguments(
          valueAt(attributes, 'gcp.vertex.agent.tool_call_args', 'gen_ai.tool.call.arguments'),
        ),
        output: readOutput(wrapped ?? result ?? valueAt(attributes, 'gen_ai.tool.call.result')),
        status: isError ? 'error' : undefined,
      },
    ];
  },
};
