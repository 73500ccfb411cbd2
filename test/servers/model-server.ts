import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { dialectFor } from './model-dialects.ts';
import { streamFor } from './model-streams.ts';
import { listen } from './listen.ts';

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
  /** Never answers, cuts the connection before the answer, or in the middle of it. */
  readonly fault?: 'hang' | 'reset' | 'cut';
}

export interface ScriptedToolCall {
  readonly name: string;
  /** As the model writes them. */
  readonly args: string;
  readonly id?: string;
}

export interface ReceivedRequest {
  /** In order of arrival, from 0 on. */
  readonly index: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** `{}` where the body is not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of four protocols
  readonly body: any;
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT`, without a version. */
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

type Script = readonly Turn[] | ((request: ReceivedRequest, index: number) => Turn);

/** Codex takes 426 as a reason to go on over HTTP at once. */
const STATUS: Readonly<Record<string, number>> = { HEAD: 200, GET: 426 };

/**
 * A server on the loopback that speaks OpenAI's chat completions and responses, Anthropic's messages and Google's
 * generateContent, as a whole or as a stream, and follows its script turn by turn. The last turn repeats.
 */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    void receive(incoming).then(async (received) => {
      const index = requests.length;
      const request = { ...received, index };
      requests.push(request);
      // Not a model call: Claude Code's HEAD, the web socket that Codex tries first, counts of tokens.
      if (request.method !== 'POST' || dialectFor(request.path) === undefined) {
        await answer({ status: STATUS[request.method] ?? 404 }, request, outgoing);
        return;
      }
      const turn =
        typeof script === 'function' ? script(request, index) : script[Math.min(index, script.length - 1)]!;
      await answer(turn, request, outgoing);
    });
  });
  const url = await listen(server);
  return {
    url,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function receive(incoming: IncomingMessage): Promise<Omit<ReceivedRequest, 'index'>> {
  const { method = '', url: path = '', headers } = incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return { method, path, headers, text, body: parseOrEmpty(text) };
}

function parseOrEmpty(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
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
  const stream =
    dialect !== undefined && status < 400 && turn.raw === undefined ? streamFor(request) : undefined;
  const type = stream?.type ?? 'application/json';
  outgoing.writeHead(status, { 'content-type': type, ...turn.headers });
  if (stream !== undefined) await sendStream(stream.split(dialect!(turn, request) as object), turn, outgoing);
  else if (turn.raw !== undefined) outgoing.end(turn.raw);
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

/** Sends each event separately, as a model does. */
async function sendStream(
  events: readonly string[],
  { fault }: Turn,
  outgoing: ServerResponse,
): Promise<void> {
  const sent = fault === 'cut' ? events.slice(0, Math.ceil(events.length / 2)) : events;
  for (const event of sent) {
    outgoing.write(event);
    await sleep(0);
  }
  if (fault === 'cut') outgoing.socket?.destroy();
  else outgoing.end();
}
