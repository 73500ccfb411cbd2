import { GoogleGenAI, Type, type Content } from '@google/genai';
import { deleteAccount, getWeather } from '../weather.mjs';

export const workers = 12;

const ai = new GoogleGenAI({});
const functions: Record<string, (args: never) => unknown> = {
  get_weather: getWeather,
  delete_account: deleteAccount,
};
const functionDeclarations = [declare('get_weather', 'city'), declare('delete_account', 'reason')];
const conversations = new Map<string, Content[]>();

function declare(name: string, parameter: string) {
  const properties = { [parameter]: { type: Type.STRING } };
  return { name, parameters: { type: Type.OBJECT, properties, required: [parameter] } };
}

export async function agent(input: string, _memory: object, context: { conversation_id: string }) {
  const contents = conversations.get(context.conversation_id) ?? [];
  conversations.set(context.conversation_id, contents);
  contents.push({ role: 'user', parts: [{ text: input }] });
  for (;;) {
    const response = await ai.models.generateContent({
      model: 'gemini-2.5-flash',
      contents,
      config: { tools: [{ functionDeclarations }] },
    });
    contents.push(response.candidates![0]!.content!);
    if (response.functionCalls === undefined) return response;
    const parts = await Promise.all(
      response.functionCalls.map(async ({ name, args }) => {
        const result = await functions[name!]!(args as never);
        return { functionResponse: { name: name!, response: { result } } };
      }),
    );
    contents.push({ role: 'user', parts });
  }
}
