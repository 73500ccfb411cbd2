import OpenAI from 'openai';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { deleteAccount, getWeather } from '../weather.mjs';

export const workers = 12;

const client = new OpenAI();
const functions: Record<string, (args: never) => unknown> = {
  get_weather: getWeather,
  delete_account: deleteAccount,
};
const conversations = new Map<string, ResponseInputItem[]>();

function declare(name: string, parameter: string) {
  const parameters = {
    type: 'object',
    properties: { [parameter]: { type: 'string' } },
    required: [parameter],
  };
  return { type: 'function' as const, name, parameters, strict: false };
}

/** Only the text: all that Assay knows of the tools is what it observes. */
export async function agent(input: string, _memory: object, context: { conversation_id: string }) {
  const items = conversations.get(context.conversation_id) ?? [];
  conversations.set(context.conversation_id, items);
  items.push({ role: 'user', content: input });
  for (;;) {
    const stream = client.responses.stream({
      model: 'gpt-5-mini',
      input: items,
      tools: [declare('get_weather', 'city'), declare('delete_account', 'reason')],
    });
    const response = await stream.finalResponse();
    items.push(...(response.output as ResponseInputItem[]));
    const calls = response.output.filter((item) => item.type === 'function_call');
    if (calls.length === 0) return response.output_text;
    for (const call of calls) {
      const output = JSON.stringify(await functions[call.name]!(JSON.parse(call.arguments) as never));
      items.push({ type: 'function_call_output', call_id: call.call_id, output });
    }
  }
}
