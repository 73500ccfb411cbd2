import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { dialectFor } from './model-dialects.ts';

/** What the server does with one request. */
export interface Turn {
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** null: the server does not say. */
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number } | null;
  readonly finish?: 'stop' | 'length';
  /** An error, as the provider would word it. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
  readonly code?: string;
  /** Sent as it is, with status 200 unless told. */
  readonly raw?: string;
  readonly delayMs?: number;
  /** Never answers, or cuts the connection. */
  readonly fault?: 'hang' | 'reset';
}

export interface ScriptedToolCall {
  readonly name: string;
  /** As the model writes them. */
  readonly args: string;
  readonly id?: string;
}

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of three protocols
  readonly body: any;
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT`, without a version. */
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

type Script = readonly Turn[] | ((request: ReceivedRequest, index: number) => Turn);

/**
 * A server on the loopback that speaks OpenAI's chat completions and responses, Anthropic's messages and Google's
 * generateContent, and does what it is told turn by turn. The last turn repeats.
 */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    void receive(incoming).then(async (request) => {
      const index = requests.push(request) - 1;
      const turn =
        typeof script === 'function' ? script(request, index) : script[Math.min(index, script.length - 1)]!;
      await answer(turn, request, outgoing);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function receive(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return { path: incoming.url ?? '', headers: incoming.headers, text, body: JSON.parse(text) };
}

async function answer(turn: Turn, request: ReceivedRequest, outgoing: ServerResponse): Promise<void> {
  if (turn.delayMs !== undefined) await sleep(turn.delayMs);
  if (turn.fault === 'hang') return;
  if (turn.fault === 'reset') {
    outgoing.socket?.resetAndDestroy();
    return;
  }
  const dialect = dialectFor(request.path);
  const status = turn.status ?? (dialect === undefined ? 404 : 200);
  outgoing.writeHead(status, { 'content-type': 'application/json', ...turn.headers });
  if (turn.raw !== undefined) outgoing.end(turn.raw);
  else if (status >= 400 || dialect === undefined) {
    const error = {
      message: turn.message ?? 'something is wrong',
      type: 'error',
      code: turn.code ?? null,
      param: null,
    };
    outgoing.end(JSON.stringify({ type: 'error', error }));
  } else outgoing.end(JSON.stringify(dialect(turn, request)));
}
