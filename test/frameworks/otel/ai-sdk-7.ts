import { OpenTelemetry } from '@ai-sdk/otel';
import { openai } from '@ai-sdk/openai';
import { generateText, isStepCount, registerTelemetry, tool } from 'ai';
import { z } from 'zod';
import { deleteAccount, getWeather } from '../weather.mjs';
import { register } from './tracing.ts';

export const workers = 4;

register();
registerTelemetry(new OpenTelemetry());

const tools = {
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
};

/** It tells nothing of its calls. */
export async function agent(input: string): Promise<string> {
  const { text } = await generateText({
    model: openai('gpt-5-mini'),
    prompt: input,
    tools,
    stopWhen: isStepCount(5),
  });
  return text;
}
