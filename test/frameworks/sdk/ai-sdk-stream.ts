import { anthropic } from '@ai-sdk/anthropic';
import { stepCountIs, ToolLoopAgent, tool, type ModelMessage } from 'ai';
import { z } from 'zod';
import { deleteAccount, getWeather } from '../weather.mjs';

export const workers = 12;

const weatherAgent = new ToolLoopAgent({
  model: anthropic('claude-haiku-4-5'),
  instructions: 'You know the weather.',
  tools: {
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
  },
  stopWhen: stepCountIs(5),
});
const conversations = new Map<string, ModelMessage[]>();

/** What a chat route of a web app returns: the stream for `useChat`. */
export async function agent(input: string, _memory: object, context: { conversation_id: string }) {
  const messages = conversations.get(context.conversation_id) ?? [];
  conversations.set(context.conversation_id, messages);
  messages.push({ role: 'user', content: input });
  const result = await weatherAgent.stream({ messages });
  void Promise.resolve(result.response).then((response) => messages.push(...response.messages));
  return result.toUIMessageStreamResponse();
}
