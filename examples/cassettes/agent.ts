import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, stepCountIs, tool, type ModelMessage } from 'ai';

const openai = createOpenAI();

const FLIGHTS = [
  { code: 'EZY8641', to: 'Berlin', departure: '07:15', price_gbp: 64 },
  { code: 'BA0982', to: 'Berlin', departure: '11:40', price_gbp: 118 },
];

/** A travel agent of the AI SDK with two tools. Nothing in it knows of cassettes. */
export default async function travelAgent(
  _input: string,
  _memory: object,
  { messages }: { readonly messages: ModelMessage[] },
) {
  return generateText({
    model: openai.chat('gpt-5-mini'),
    system:
      'You are a travel agent. Search before you answer. Book only what the customer has agreed to. Be brief.',
    messages,
    tools: {
      search_flights: tool({
        description: 'Finds flights from London Gatwick on the given day.',
        inputSchema: jsonSchema<{ to: string }>({
          type: 'object',
          properties: { to: { type: 'string', description: 'A city' } },
          required: ['to'],
          additionalProperties: false,
        }),
        execute: ({ to }) => FLIGHTS.filter((flight) => flight.to === to),
      }),
      book_flight: tool({
        description: 'Books a flight by its code.',
        inputSchema: jsonSchema<{ code: string }>({
          type: 'object',
          properties: { code: { type: 'string' } },
          required: ['code'],
          additionalProperties: false,
        }),
        execute: ({ code }) => ({ booked: code, reference: 'K7QX2M' }),
      }),
    },
    stopWhen: stepCountIs(5),
  });
}
