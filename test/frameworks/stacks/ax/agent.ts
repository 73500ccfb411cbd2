import { ai, ax } from '@ax-llm/ax';
import { deleteAccount, getWeather } from '../../weather.mjs';

const text = (name: string) => ({
  type: 'object' as const,
  properties: { [name]: { type: 'string' as const, description: name } },
  required: [name],
});

const weather = ax('question:string -> answer:string', {
  functions: [
    { name: 'get_weather', description: 'The weather in a city', parameters: text('city'), func: getWeather },
    {
      name: 'delete_account',
      description: 'Deletes the account',
      parameters: text('reason'),
      func: deleteAccount,
    },
  ],
});

export async function agent(question: string) {
  const apiURL = process.env['OPENAI_BASE_URL']!;
  const model = ai({
    name: 'openai',
    apiKey: 'none',
    apiURL,
    config: { model: 'gpt-5-mini' as never, stream: false },
  });
  const { answer } = await weather.forward(model, { question });
  return answer;
}
