import { hideCredentials, urlCredentials } from '../base/match/url-credentials.ts';
import type { TelemetryPath } from '../evidence/otel/telemetry-path.ts';
import type { Json, JsonObject } from '../base/model/json.ts';
import { AgentPrograms } from './agent-programs.ts';
import { AgentSetupError } from './agent-setup-error.ts';
import {
  passesCalls,
  telemetryOf,
  type Agent,
  type RawReply,
  type Observing,
  type Session,
} from './contract.ts';
import { compileBody } from './http-body.ts';
import { createHttpConnection, type HttpConnection, type HttpRequest } from './http-connection.ts';
import { exchange } from './http-exchange.ts';
import { compileReply, type ReplyReader } from './http-reply.ts';
import { createHealthcheck } from './healthcheck.ts';
import { startServer, type StartedServer } from './http-server.ts';
import { ObservedServer, type SendRequest } from './observed-server.ts';
import { sendTraced } from './send-traced.ts';
import { printRequest } from './print-request.ts';
import type { ProcessOptions } from './processes/process-group.ts';

export interface HttpAgentOptions extends ProcessOptions {
  readonly name: string;
  readonly url: string;
  /** POST unless told. */
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What is sent, with `{{input}}`, `{{memory}}`, ... in its texts; the whole request unless told. */
  readonly body?: Json | undefined;
  /** Where in the response the parts of a reply are, as paths such as `choices[0].message.content`. */
  readonly reply?: Readonly<Record<string, string>> | undefined;
  /** A server to run while the agent is used. */
  readonly start?: readonly string[] | undefined;
  /** A URL or a path that answers 2xx when the server is ready. Default: nothing, or of a server that is started that its port takes connections. */
  readonly healthcheck?: string | undefined;
  readonly workers?: number | undefined;
  /** Whether the model calls of a server that is started are watched. It then gets one attempt at a time. Default: false. */
  readonly observe?: Observing | undefined;
}

/** An endpoint that is sent a request per step. Throws an AgentSetupError for options it cannot use or a server that does not start. */
export async function createHttpAgent(options: HttpAgentOptions): Promise<Agent> {
  const { name, workers = 16 } = options;
  const url = readUrl(options);
  const fillBody = options.body === undefined ? undefined : compileBody(options.body, name);
  const readBody = compileReply(options.reply, name);
  const call = { url, method: options.method?.toUpperCase() ?? 'POST', headers: readHeaders(options) };
  const healthcheck = readHealthcheck(options, url);
  const { start, env } = options;
  const startHere = (own: NodeJS.ProcessEnv): Promise<StartedServer> =>
    startServer(start!, { ...options, env: own, url, healthcheck });
  const { observe = false } = options;
  const observed =
    start === undefined || observe === false
      ? undefined
      : await ObservedServer.start(startHere, env, observe);
  const server = observed ?? (start === undefined ? undefined : await startHere(env));
  // A server that was started here was waited for already.
  const check = server === undefined && healthcheck !== undefined ? { url: healthcheck.href } : undefined;
  const checkHealth = createHealthcheck(check, { ...options, programs: new AgentPrograms() });
  const connection = await createHttpConnection(url);
  const telemetry = observed === undefined ? await openTelemetry(options) : undefined;
  const send: SendRequest = async (request, signal, traceparent) => {
    if (check !== undefined) await checkHealth('', signal);
    const body = printRequest(fillBody === undefined ? request : fillBody(request));
    const headers = traceparent === undefined ? call.headers : withTrace(call.headers, traceparent);
    return answer(
      { ...call, headers, body },
      { connection, signal, readBody, server, memory: request.memory },
    );
  };
  const sendAlone: Session['send'] = (request, signal) =>
    telemetry === undefined
      ? send(request, signal)
      : sendTraced(telemetry, { signal }, (traceparent) => send(request, signal, traceparent));
  return {
    name,
    workers: observed === undefined ? workers : 1,
    modelCalls: observed !== undefined && passesCalls(observe) ? 'observed' : undefined,
    open: (_test, opening) => observed?.openSession(opening, send) ?? { send: sendAlone, close: () => {} },
    async close() {
      connection.close();
      await server?.stop();
      await telemetry?.close();
    },
  };
}

/** For a server that somebody else started: it sends to a port that is known. */
async function openTelemetry({ name, env, observe }: HttpAgentOptions): Promise<TelemetryPath | undefined> {
  const settings = telemetryOf(observe);
  if (settings === undefined) return undefined;
  const { TelemetryPath: Path } = await import('../evidence/otel/telemetry-path.ts');
  try {
    return await Path.open({ ...settings, env, use: 'public' });
  } catch (error) {
    throw new AgentSetupError(`${name}: Assay cannot listen for telemetry: ${(error as Error).message}`, {
      hint: 'stop what listens there, or choose another port, to which the server must send: `otel: { port: 4319 }`',
      cause: error,
    });
  }
}

function withTrace(headers: Headers, traceparent: string): Headers {
  const all = new Headers(headers);
  all.set('traceparent', traceparent);
  return all;
}

interface AnswerOptions {
  readonly connection: HttpConnection;
  readonly signal: AbortSignal;
  readonly readBody: ReplyReader;
  readonly server: StartedServer | undefined;
  readonly memory: JsonObject;
}

async function answer(
  call: HttpRequest,
  { connection, signal, readBody, server, memory }: AnswerOptions,
): Promise<RawReply> {
  const response = await exchange(call, { connection, signal, explain: () => server?.explainEnd() });
  return readBody(response, memory);
}

function readUrl({ name, url }: HttpAgentOptions): URL {
  if (!URL.canParse(url))
    throw new AgentSetupError(`${name}: ${JSON.stringify(url)} is not a URL`, {
      hint: 'write it as http://host:port/path',
    });
  const parsed = new URL(url);
  // They are sent as a header: fetch refuses addresses that hold them, and messages would show them.
  parsed.username = parsed.password = '';
  if (/^https?:$/.test(parsed.protocol)) return parsed;
  throw new AgentSetupError(`${name}: ${hideCredentials(url)} is not the address of an HTTP server`, {
    hint: 'it must start with http:// or https://',
  });
}

function readHealthcheck({ name, healthcheck }: HttpAgentOptions, url: URL): URL | undefined {
  if (healthcheck === undefined) return undefined;
  const address = URL.canParse(healthcheck, url.href) ? new URL(healthcheck, url) : undefined;
  if (address !== undefined && /^https?:$/.test(address.protocol)) return address;
  throw new AgentSetupError(`${name}: the healthcheck ${healthcheck} is neither a URL nor a path`, {
    hint: 'write it as http://host:port/path, or as /path',
  });
}

function readHeaders({ name, url, headers = {} }: HttpAgentOptions): Headers {
  try {
    const all = new Headers({ 'content-type': 'application/json', accept: 'application/json' });
    const credentials = urlCredentials(url);
    if (credentials !== undefined) {
      const { username, password } = credentials;
      all.set('authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
    }
    for (const [key, value] of Object.entries(headers)) all.set(key, value);
    return all;
  } catch (error) {
    throw new AgentSetupError(`${name}: the headers cannot be sent: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
