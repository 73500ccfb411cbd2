/** The agents of `assay init --framework NAME`: each returns what its framework returns. The docs page of a framework has the same. */
export const FRAMEWORK_AGENTS = {
  'ai-sdk': `import { openai } from '@ai-sdk/openai';
import { generateText, stepCountIs, tool, type ModelMessage } from 'ai';
import { z } from 'zod';

const inputSchema = z.object({ city: z.string() });
const get_weather = tool({ inputSchema, execute: async ({ city }) => ({ city, celsius: 15 }) });

export function agent(_input: string, _memory: object, { messages }: { messages: ModelMessage[] }) {
  return generateText({ model: openai('gpt-5-mini'), messages, tools: { get_weather }, stopWhen: stepCountIs(5) });
}
`,
  'openai-agents': `import { Agent, MemorySession, run, tool } from '@openai/agents';
import { z } from 'zod';

const parameters = z.object({ city: z.string() });
const execute = async ({ city }: { city: string }) => ({ city, celsius: 15 });
const get_weather = tool({ name: 'get_weather', description: 'The weather in a city', parameters, execute });
const weather = new Agent({ name: 'Weather', model: 'gpt-5-mini', tools: [get_weather] });
const sessions: Record<string, MemorySession> = {};
export const agent = (input: string, _memory: object, { conversation_id: id }: { conversation_id: string }) =>
  run(weather, input, { session: (sessions[id] ??= new MemorySession()) });
`,
  langgraph: `import { MemorySaver } from '@langchain/langgraph';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';

const describe = { name: 'get_weather', description: 'The weather in a city', schema: z.object({ city: z.string() }) };
const get_weather = tool(async ({ city }) => ({ city, celsius: 15 }), describe);
const weather = createAgent({ model: 'openai:gpt-5-mini', tools: [get_weather], checkpointer: new MemorySaver() });

export const agent = (content: string, _memory: object, { conversation_id }: { conversation_id: string }) =>
  weather.invoke({ messages: [{ role: 'user', content }] }, { configurable: { thread_id: conversation_id } });
`,
  mastra: `import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

const inputSchema = z.object({ city: z.string() });
const execute = async ({ city }: { city: string }) => ({ city, celsius: 15 });
const get_weather = createTool({ id: 'get_weather', description: 'The weather in a city', inputSchema, execute });
const about = { id: 'weather', name: 'Weather', instructions: 'You know the weather.', model: 'openai/gpt-5-mini' };
const weather = new Agent({ ...about, tools: { get_weather } });
export const agent = (_input: string, _memory: object, { messages }: { messages: [] }) => weather.generate(messages);
`,
  openai: `import OpenAI from 'openai';

const client = new OpenAI();
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const getWeather = async ({ city }: { city: string }) => ({ city, celsius: 15 });
const about = { name: 'get_weather', description: 'The weather in a city', parameters, parse: JSON.parse };
const tools = [{ type: 'function' as const, function: { ...about, function: getWeather } }];

export const agent = (_input: string, _memory: object, { messages }: { messages: [] }) =>
  client.chat.completions.runTools({ model: 'gpt-5-mini', messages, tools }).finalContent();
`,
  anthropic: `import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { z } from 'zod';

const about = { name: 'get_weather', description: 'The weather in a city', inputSchema: z.object({ city: z.string() }) };
const get_weather = betaZodTool({ ...about, run: async ({ city }) => JSON.stringify({ city, celsius: 15 }) });
const options = { model: 'claude-haiku-4-5', max_tokens: 1000, tools: [get_weather] };

export const agent = (_input: string, _memory: object, { messages }: { messages: [] }) =>
  new Anthropic().beta.messages.toolRunner({ ...options, messages });
`,
  'google-genai': `import { GoogleGenAI, Type, type Chat, type FunctionCall } from '@google/genai';

const parameters = { type: Type.OBJECT, properties: { city: { type: Type.STRING } } };
const answer = ({ id, name, args }: FunctionCall) => ({ functionResponse: { id, name, response: { ...args, celsius: 15 } } });
const tool = async () => ({ functionDeclarations: [{ name: 'get_weather', parameters }] });
const tools = [{ tool, callTool: async (calls: FunctionCall[]) => calls.map(answer) }];
const ai = new GoogleGenAI({});
const chats: Record<string, Chat> = {};
export const agent = (message: string, _memory: object, { conversation_id: id }: { conversation_id: string }) =>
  (chats[id] ??= ai.chats.create({ model: 'gemini-2.5-flash', config: { tools } })).sendMessage({ message });
`,
  'claude-agent-sdk': `import { query } from '@anthropic-ai/claude-agent-sdk';

const sessions: Record<string, string> = {};
export async function* agent(prompt: string, _memory: object, { conversation_id: id }: { conversation_id: string }) {
  const options = { model: 'claude-haiku-4-5', allowedTools: ['Bash'], resume: sessions[id] };
  for await (const message of query({ prompt, options })) {
    sessions[id] = message.session_id!;
    yield message;
  }
}
`,
  mcp: `import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const client = new Client({ name: 'assay', version: '1.0.0' });
const connected = client.connect(new StdioClientTransport({ command: 'node', args: ['server.mjs'] }));
export async function agent(input: string) {
  await connected;
  const { tool, ...args } = JSON.parse(input);
  return client.callTool({ name: tool, arguments: args });
}
`,
} as const;
