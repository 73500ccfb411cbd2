import { Agent, MemorySession, run, tool } from '@openai/agents';
import { z } from 'zod';
import { deleteAccount, getWeather } from '../weather.mjs';

export const workers = 12;

const weatherAgent = new Agent({
  name: 'Weather agent',
  instructions: 'You know the weather.',
  model: 'gpt-5-mini',
  tools: [
    tool({
      name: 'get_weather',
      description: 'The weather in a city',
      parameters: z.object({ city: z.string() }),
      execute: getWeather,
    }),
    tool({
      name: 'delete_account',
      description: 'Deletes the account',
      parameters: z.object({ reason: z.string() }),
      execute: deleteAccount,
    }),
  ],
});
const sessions = new Map<string, MemorySession>();

export function agent(input: string, _memory: object, context: { conversation_id: string }) {
  const session = sessions.get(context.conversation_id) ?? new MemorySession();
  sessions.set(context.conversation_id, session);
  return run(weatherAgent, input, { session });
}
