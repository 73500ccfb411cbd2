import Anthropic from '@anthropic-ai/sdk';
import { deleteAccount, getWeather } from '../weather.mjs';

export const workers = 12;

const client = new Anthropic();
const functions: Record<string, (args: never) => unknown> = {
  get_weather: getWeather,
  delete_account: deleteAccount,
};
const conversations = new Map<string, Anthropic.MessageParam[]>();

function declare(name: string, parameter: string): Anthropic.Tool {
  const properties = { [parameter]: { type: 'string' } };
  return { name, input_schema: { type: 'object', properties, required: [parameter] } };
}

export async function agent(input: string, _memory: object, context: { conversation_id: string }) {
  const messages = conversations.get(context.conversation_id) ?? [];
  conversations.set(context.conversation_id, messages);
  messages.push({ role: 'user', content: input });
  for (;;) {
    const message = await client.messages.create({
      model: 'claude-haiku-4-5',
      max_tokens: 1000,
      messages,
      tools: [declare('get_weather', 'city'), declare('delete_account', 'reason')],
    });
    messages.push({ role: 'assistant', content: message.content });
    const calls = message.content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) return messages;
    const content = await Promise.all(
      calls.map(async ({ id, name, input: args }) => {
        const result = JSON.stringify(await functions[name]!(args as never));
        return { type: 'tool_result' as const, tool_use_id: id, content: result };
      }),
    );
    messages.push({ role: 'user', content });
  }
}
