import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';

export const workers = 12;

const openai = new OpenAI();
const mcp = new Client({ name: 'agent', version: '1.0.0' });
const server = new URL('mcp-server.mjs', import.meta.url).pathname;
const connected = mcp.connect(new StdioClientTransport({ command: process.execPath, args: [server] }));
const conversations = new Map<string, ChatCompletionMessageParam[]>();

export async function agent(input: string, _memory: object, context: { conversation_id: string }) {
  await connected;
  const tools = (await mcp.listTools()).tools.map(({ name, description, inputSchema }) => {
    return { type: 'function' as const, function: { name, description, parameters: inputSchema } };
  });
  const messages = conversations.get(context.conversation_id) ?? [];
  conversations.set(context.conversation_id, messages);
  messages.push({ role: 'user', content: input });
  for (;;) {
    const { choices } = await openai.chat.completions.create({ model: 'gpt-5-mini', messages, tools });
    const { message } = choices[0]!;
    messages.push(message);
    if (message.tool_calls === undefined) return messages;
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue;
      const { name, arguments: args } = call.function;
      const { content } = await mcp.callTool({ name, arguments: JSON.parse(args) });
      messages.push({ role: 'tool', tool_call_id: call.id, content: content as never });
    }
  }
}

/** The tool alone, without a model: the result as the server gives it. */
export async function weather(city: string) {
  await connected;
  return mcp.callTool({ name: 'get_weather', arguments: { city } });
}
