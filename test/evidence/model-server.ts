import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../servers/listen.ts';

/** A request that a scripted server got. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly body: any;
}

/** Answers one request, by hand. */
export type Answer = (asked: Asked, response: ServerResponse) => void | Promise<void>;

export interface ModelServer {
  readonly url: string;
  readonly asked: Asked[];
  close(): Promise<void>;
}

/** A model API on loopback that answers as told. Default: a chat completion that repeats the last message. */
export async function startModelServer(answer: Answer = answerChat): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, text, body: readJson(text) };
    asked.push(one);
    await answer(one, response);
  });
  const url = await listen(server);
  return {
    url,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Chat completions, streamed on request. */
export function answerChat({ body }: Asked, response: ServerResponse): void {
  const content = `You said: ${body?.messages?.at(-1)?.content}`;
  if (body?.stream !== true) return sendJson(response, chatCompletion(content));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of chatEvents(content)) response.write(event);
  response.end();
}

/** An answer that sends each event only after the agent has reported, by `next`, that it received the one before. */
export function answerOneByOne(events: readonly string[]): {
  readonly answer: Answer;
  readonly next: () => void;
} {
  let next = (): void => {};
  const answer: Answer = async (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) {
      const received = new Promise<void>((resolve) => (next = resolve));
      response.write(event);
      await received;
    }
    response.end();
  };
  return { answer, next: () => next() };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function chatCompletion(content: string): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'test-model',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}

/** The events of a streamed chat completion, one word each. */
export function chatEvents(content: string): readonly string[] {
  const deltas = content.split(/(?<= )/).map((word) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    model: 'test-model',
    choices: [{ index: 0, delta: { content: word } }],
  }));
  return [...deltas.map((delta) => `data: ${JSON.stringify(delta)}\n\n`), 'data: [DONE]\n\n'];
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
