/**
 * An agent without any SDK, as the text of a module. It asks a model over chat completions, calls the tool `search` when the model asks for it,
 * and sends a request up to three times. `output` is what the model said last, or what went wrong. Inputs that begin with `plain` are
 * sent once only, and what goes wrong is thrown.
 */
export const FETCH_AGENT = `
const url = () => process.env.OPENAI_BASE_URL + '/chat/completions';

async function ask(messages, { tries, stream, impatient }) {
  for (let round = 1; ; round++) {
    try {
      const response = await fetch(url(), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages, stream }),
        signal: AbortSignal.timeout(impatient && round === 1 ? 300 : 60_000),
      });
      const text = await response.text();
      if (!response.ok) throw Object.assign(new Error(text), { status: response.status });
      return stream ? readStream(text) : JSON.parse(text).choices[0].message;
    } catch (error) {
      if (round === tries) throw error;
    }
  }
}

function readStream(text) {
  const events = text.split('\\n\\n').filter((part) => part.startsWith('data: {')).map((part) => JSON.parse(part.slice(6)));
  return { role: 'assistant', content: events.map((event) => event.choices[0]?.delta.content ?? '').join('') };
}

const memory = new Map();

export async function agent(input, _memory, { conversation_id, step }) {
  const messages = memory.get(conversation_id) ?? [];
  memory.set(conversation_id, messages);
  messages.push({ role: 'user', content: input });
  const how = { tries: input.startsWith('plain') ? 1 : 3, stream: input.startsWith('stream'), impatient: input.startsWith('impatient') };
  for (;;) {
    const message = await ask(messages, how);
    messages.push(message);
    if (!message.tool_calls?.length) return { output: message.content };
    for (const { id } of message.tool_calls)
      messages.push({ role: 'tool', tool_call_id: id, content: 'the weather is fine' });
  }
}
export const workers = 8;
`;

/** The same with the client of `node:http`. */
export const HTTP_AGENT = `
import { request } from 'node:http';
const fetch = (url, { method, headers, body, signal }) =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, signal }, async (response) => {
      const read = async () => {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        return text;
      };
      resolve({ ok: response.statusCode < 400, status: response.statusCode, text: read });
    });
    sent.on('error', reject);
    sent.end(body);
  });
${FETCH_AGENT}`;

/** Runs an agent of `agent.mjs` as a program: the request on stdin, the reply on stdout. */
export const PROGRAM = `
import { agent } from './agent.mjs';
let text = '';
for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
const { input, ...request } = JSON.parse(text);
console.log(JSON.stringify(await agent(input, {}, request)));
`;

/** A model that looks something up as often as the user says, and then repeats all that it found. */
export function lookUpAndTell({ body }: { readonly body: unknown }) {
  const { messages } = body as {
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  };
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const needed = Number(/look up (\d)/.exec(messages[last]!.content)?.[1] ?? 0);
  const found = messages.slice(last).filter(({ role }) => role === 'tool');
  if (found.length < needed) return { toolCalls: [{ name: 'search', args: '{}', id: 'call_1' }] };
  const all = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  return { text: ['I found', ...all].join(' | ') };
}
