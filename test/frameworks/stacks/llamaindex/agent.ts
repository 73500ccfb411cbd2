import { openai } from '@llamaindex/openai';
import { agent as workflow } from '@llamaindex/workflow';
import { tool } from 'llamaindex';
import { z } from 'zod';
import { deleteAccount, getWeather } from '../../weather.mjs';

const tools = [
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
];

export function agent(input: string) {
  const llm = openai({ model: 'gpt-5-mini', apiKey: 'none', baseURL: process.env['OPENAI_BASE_URL'] });
  return workflow({ tools, llm }).run(input);
}
