import { Agent, tool } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { z } from 'zod';
import { deleteAccount, getWeather } from '../../weather.mjs';

const tools = [
  tool({
    name: 'get_weather',
    description: 'The weather in a city',
    inputSchema: z.object({ city: z.string() }),
    callback: getWeather,
  }),
  tool({
    name: 'delete_account',
    description: 'Deletes the account',
    inputSchema: z.object({ reason: z.string() }),
    callback: deleteAccount,
  }),
];

export async function agent(input: string) {
  const clientConfig = { baseURL: process.env['OPENAI_BASE_URL'] };
  const model = new OpenAIModel({ api: 'chat', modelId: 'gpt-5-mini', apiKey: 'none', clientConfig });
  const strands = new Agent({ model, tools, printer: false });
  await strands.invoke(input);
  return strands.messages;
}
