import { chat, toolDefinition } from '@tanstack/ai';
import { createOpenaiChat } from '@tanstack/ai-openai';
import { z } from 'zod';
import { deleteAccount, getWeather } from '../../weather.mjs';

const weather = toolDefinition({
  name: 'get_weather',
  description: 'The weather in a city',
  inputSchema: z.object({ city: z.string() }),
}).server(getWeather);
const account = toolDefinition({
  name: 'delete_account',
  description: 'Deletes the account',
  inputSchema: z.object({ reason: z.string() }),
}).server(async (input) => deleteAccount(input));

export function agent(content: string) {
  const adapter = createOpenaiChat('gpt-5-mini', 'none', { baseURL: process.env['OPENAI_BASE_URL'] });
  return chat({ adapter, messages: [{ role: 'user', content }], tools: [weather, account] });
}
