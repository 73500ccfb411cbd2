import { openai } from '@ai-sdk/openai';
import { generateText, stepCountIs, tool, type ModelMessage } from 'ai';
import { z } from 'zod';
import { deleteAccount, getWeather } from '../weather.mjs';

export const workers = 12;

const conversations = new Map<string, ModelMessage[]>();
const tools = {
  get_weather: tool({
    description: 'The weather in a city',
    inputSchema: z.object({ city: z.string() }),
    execute: getWeather,
  }),
  delete_account: tool({
    description: 'Deletes the account',
    inputSchema: z.object({ reason: z.string() }),
    execute: deleteAccount,
  }),
};

export async function agent(input: string, _memory: object, context: { conversation_id: string }) {
  const messages = conversations.get(context.conversation_id) ?? [];
  conversations.set(context.conversation_id, messages);
  messages.push({ role: 'user', content: input });
  const result = await generateText({
    model: openai('gpt-5-mini'),
    messages,
    tools,
    stopWhen: stepCountIs(5),
  });
  messages.push(...result.response.messages);
  return result;
}
