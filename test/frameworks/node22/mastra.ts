import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { deleteAccount, getWeather } from '../weather.mjs';

export const workers = 12;

const weatherAgent = new Agent({
  id: 'weather-agent',
  name: 'Weather agent',
  instructions: 'You know the weather.',
  model: 'openai/gpt-5-mini',
  tools: {
    get_weather: createTool({
      id: 'get_weather',
      description: 'The weather in a city',
      inputSchema: z.object({ city: z.string() }),
      execute: (question) => getWeather(question),
    }),
    delete_account: createTool({
      id: 'delete_account',
      description: 'Deletes the account',
      inputSchema: z.object({ reason: z.string() }),
      execute: async (question) => deleteAccount(question),
    }),
  },
});
const conversations = new Map<string, object[]>();

export async function agent(input: string, _memory: object, context: { conversation_id: string }) {
  const messages = conversations.get(context.conversation_id) ?? [];
  messages.push({ role: 'user', content: input });
  const result = await weatherAgent.generate(messages as never);
  conversations.set(context.conversation_id, [...messages, ...result.response.messages!]);
  return result;
}
