import { createSdkMcpServer, query, tool, type SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';
import { deleteAccount, getWeather } from '../weather.mjs';

export const workers = 12;

const sessions = new Map<string, string>();

/** A server has one connection, so each query has its own. */
function weatherServer() {
  const text = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] });
  return createSdkMcpServer({
    name: 'weather',
    alwaysLoad: true,
    tools: [
      tool('get_weather', 'The weather in a city', { city: z.string() }, async (args) =>
        text(await getWeather(args)),
      ),
      tool('delete_account', 'Deletes the account', { reason: z.string() }, async (args) =>
        text(deleteAccount(args)),
      ),
    ],
  });
}

export async function agent(input: string, _memory: object, context: { conversation_id: string }) {
  const resume = sessions.get(context.conversation_id);
  const messages: SDKMessage[] = [];
  const options = {
    model: 'claude-haiku-4-5',
    mcpServers: { weather: weatherServer() },
    allowedTools: ['mcp__weather__*'],
    ...(resume === undefined ? {} : { resume }),
  };
  for await (const message of query({ prompt: input, options })) {
    messages.push(message);
    sessions.set(context.conversation_id, message.session_id!);
  }
  return messages;
}
