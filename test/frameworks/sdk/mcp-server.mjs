import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { deleteAccount, getWeather } from '../weather.mjs';

const server = new McpServer({ name: 'weather', version: '1.0.0' });
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
server.registerTool(
  'get_weather',
  { description: 'The weather in a city', inputSchema: z.object({ city: z.string() }) },
  async (args) => text(await getWeather(args)),
);
server.registerTool(
  'delete_account',
  { description: 'Deletes the account', inputSchema: z.object({ reason: z.string() }) },
  (args) => text(deleteAccount(args)),
);
await server.connect(new StdioServerTransport());
