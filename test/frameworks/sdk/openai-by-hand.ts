import OpenAI from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { deleteAccount, getWeather } from '../weather.mjs';

export const workers = 12;

const client = new OpenAI();
const functions: Record<string, (args: never) => unknown> = {
  get_weather: getWeather,
  delete_account: deleteAccount,
};
const tools: ChatCompletionTool[] = [declare('get_weather', 'city'), declare('delete_account', 'reason')];
const conversations = new Map<string, ChatCompletionMessageParam[]>();

function declare(name: string, parameter: string): ChatCompletionTool {
  const parameters = {
    type: 'object',
    properties: { [parameter]: { type: 'string' } },
    required: [parameter],
  };
  return { type: 'function', function: { name, parameters } };
}

export async function agent(input: string, _memory: object, context: { conversation_id: string }) {
  const messages = conversations.get(context.conversation_id) ?? [];
  conversations.set(context.conversation_id, messages);
  messages.push({ role: 'user', content: input });
  for (;;) {
    const completion = await client.chat.completions.create({ model: 'gpt-5-mini', messages, tools });
    const { message } = completion.choices[0]!;
    messages.push(message);
    if (message.tool_calls === undefined) return completion;
    await Promise.all(
      message.tool_calls.map(async (call) => {
        if (call.type !== 'function') return;
        const result = await functions[call.function.name]!(JSON.parse(call.function.arguments) as never);
        messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(result) });
      }),
    );
  }
}
