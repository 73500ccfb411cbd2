import { MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { deleteAccount, getWeather } from '../weather.mjs';

export const workers = 12;

const weatherAgent = createAgent({
  model: new ChatOpenAI({ model: 'gpt-5-mini' }),
  tools: [
    tool(getWeather, {
      name: 'get_weather',
      description: 'The weather in a city',
      schema: z.object({ city: z.string() }),
    }),
    tool(deleteAccount, {
      name: 'delete_account',
      description: 'Deletes the account',
      schema: z.object({ reason: z.string() }),
    }),
  ],
  checkpointer: new MemorySaver(),
});

export function agent(input: string, _memory: object, context: { conversation_id: string }) {
  const configurable = { thread_id: context.conversation_id };
  return weatherAgent.invoke({ messages: [{ role: 'user', content: input }] }, { configurable });
}
