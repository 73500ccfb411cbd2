import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { parseJson } from '../../base/model/parse-json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { JudgeAccess, JudgeQuestion } from '../contract/judge.ts';

/** Where a script can call the judge: `env` is all it needs to know. */
export interface JudgeProxy {
  readonly env: Readonly<Record<string, string>>;
  /** Ends with the script. Running calls are stopped and awaited: their cost is counted. */
  close(): Promise<void>;
}

/**
 * Lets one script call the judge, over HTTP on this machine only. It speaks the protocol of code judge clients:
 * `GET /info`, `POST /invoke`, `POST /invokeBatch`, with a token that no other script knows.
 */
export async function openJudgeProxy(access: JudgeAccess): Promise<JudgeProxy> {
  const token = randomBytes(32).toString('hex');
  const stop = new AbortController();
  const routes = new JudgeRoutes(access, stop.signal);
  const running = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const handling = answer(request, response, { routes, token, access, signal: stop.signal }).finally(() =>
      running.delete(handling),
    );
    running.add(handling);
  });
  const port = await listen(server);
  return {
    env: {
      AGENTV_TARGET_PROXY_URL: `http://127.0.0.1:${port}`,
      AGENTV_TARGET_PROXY_TOKEN: token,
    },
    async close() {
      stop.abort();
      server.close();
      server.closeAllConnections();
      await Promise.all(running);
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** A request that cannot be answered, and the HTTP status for it. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface AnswerContext {
  readonly routes: JudgeRoutes;
  readonly token: string;
  readonly access: JudgeAccess;
  readonly signal: AbortSignal;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { routes, token, access, signal }: AnswerContext,
): Promise<void> {
  try {
    if (!isAuthorized(request, token)) throw new Refusal(401, 'Unauthorized: send the token of this script');
    send(response, 200, await routes.answer(`${request.method} ${request.url}`, () => readBody(request)));
  } catch (error) {
    const { message } = error as Error;
    const status = error instanceof Refusal ? error.status : 500;
    // A script that has ended wants no answer any more.
    if (error instanceof Refusal && !signal.aborted)
      access.onRefused({ reason: status === 429 ? 'limit' : 'request', message });
    send(response, status, { error: message });
  }
}

/** Compares hashes: they have the same length, and comparing them takes constant time. */
function isAuthorized({ headers }: IncomingMessage, token: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(headers.authorization ?? ''), hash(`Bearer ${token}`));
}

function send(response: ServerResponse, status: number, body: JsonObject): void {
  if (response.destroyed) return;
  // The client of a refused request may still be sending its body.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(printJson(body));
}

const MOST_BYTES = 10 * 1024 * 1024;

async function readBody(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_BYTES) throw new Refusal(413, 'The request is larger than 10 MB');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'The request broke off');
  }
  let body: Json;
  try {
    body = parseJson(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw new Refusal(400, `The body is not JSON: ${(error as Error).message}`);
  }
  if (!isJsonObject(body)) throw new Refusal(400, 'The body must be a JSON object');
  return body;
}

/** The calls to the judge, counted. */
class JudgeRoutes {
  private readonly access: JudgeAccess;
  private readonly signal: AbortSignal;
  private callCount = 0;

  constructor(access: JudgeAccess, signal: AbortSignal) {
    this.access = access;
    this.signal = signal;
  }

  async answer(route: string, readRequest: () => Promise<JsonObject>): Promise<JsonObject> {
    switch (route) {
      case 'GET /info':
        return this.info();
      case 'POST /invoke': {
        const question = await this.readQuestion(await readRequest());
        this.take(1);
        return this.ask(question);
      }
      case 'POST /invokeBatch':
        return this.askAll(await readRequest());
      default:
        throw new Refusal(404, 'Not found: there are GET /info, POST /invoke and POST /invokeBatch');
    }
  }

  private async info(): Promise<JsonObject> {
    const { judge, judges } = await this.access.names();
    const { maxCalls } = this.access;
    return { targetName: judge, maxCalls, callCount: this.callCount, availableTargets: judges };
  }

  /** One after the other, as a script would. If one fails, the batch fails: an error is never a reply. */
  private async askAll(body: JsonObject): Promise<JsonObject> {
    const requests = ownValue(body, 'requests');
    if (!Array.isArray(requests)) throw new Refusal(400, 'Missing required field: requests (array)');
    const questions: JudgeQuestion[] = [];
    for (const request of requests as readonly Json[]) questions.push(await this.readQuestion(request));
    this.take(questions.length);
    const responses: JsonObject[] = [];
    for (const question of questions) responses.push(await this.ask(question));
    return { responses };
  }

  private async readQuestion(request: Json): Promise<JudgeQuestion> {
    const field = (name: string): Json | undefined =>
      isJsonObject(request) ? (ownValue(request, name) ?? undefined) : undefined;
    const [prompt, system, target] = [field('question'), field('systemPrompt'), field('target')];
    if (typeof prompt !== 'string' || prompt === '')
      throw new Refusal(400, 'Missing required field: question');
    if (system !== undefined && typeof system !== 'string')
      throw new Refusal(400, '`systemPrompt` must be text');
    if (target === undefined) return { prompt, system };
    const { judges } = await this.access.names();
    if (typeof target !== 'string' || !judges.includes(target))
      throw new Refusal(
        400,
        `Unknown target '${printJson(target).replaceAll('"', '')}'. Available: ${judges.join(', ')}`,
      );
    return { prompt, system, target };
  }

  /** Counted before anything is awaited: parallel calls share one limit. */
  private take(calls: number): void {
    const { maxCalls } = this.access;
    if (this.callCount + calls > maxCalls) {
      throw new Refusal(
        429,
        calls === 1
          ? `Max calls exceeded (limit: ${maxCalls})`
          : `Batch would exceed max calls (current: ${this.callCount}, batch: ${calls}, limit: ${maxCalls})`,
      );
    }
    this.callCount += calls;
  }

  private async ask(question: JudgeQuestion): Promise<JsonObject> {
    const text = await this.access.ask(question, this.signal);
    return { outputMessages: [{ role: 'assistant', content: text }], rawText: text };
  }
}
