import { client, PROTOCOL_VERSION, type ClientConnection } from '@agentclientprotocol/sdk';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { listAt, textAt } from '../../evidence/foreign-fields.ts';
import { nextTurn } from '../../base/system/system-time.ts';
import { asAgentError } from '../agent-programs.ts';
import { AgentError } from '../contract.ts';
import { Capture, lastLines } from '../processes/capture.ts';
import { LineReader } from '../processes/line-reader.ts';
import { OUTPUT_LIMIT_BYTES } from '../processes/limits.ts';
import { ProcessGroup, type ProcessOptions } from '../processes/process-group.ts';
import { describeExit } from '../processes/run-process.ts';
import { FileRequestError, NOT_FOUND, type FileRequests } from './acp-files.ts';

export interface AcpEvents {
  /** `session/update`, as it came. */
  onUpdate(params: JsonObject): void;
  /** `session/request_permission`; what it returns is the response. */
  onPermission(params: JsonObject): Promise<JsonObject>;
  /** Undefined: the program uses its own. */
  readonly files: FileRequests | undefined;
}

/** One program that speaks ACP over its stdin and stdout. */
export class AcpConnection {
  readonly group: ProcessGroup;
  /** Of the program, for messages. */
  private readonly name: string;
  private readonly connection: ClientConnection;
  private readonly files: FileRequests | undefined;
  private readonly stderr = new Capture(OUTPUT_LIMIT_BYTES);
  private readonly noise = new Capture(OUTPUT_LIMIT_BYTES);
  private readonly failure: Promise<never>;
  /** Ends what is waited for. */
  fail!: (error: AgentError) => void;
  private hasAnswered = false;
  /** A request of ours has no answer yet: a turn, or what comes before the first one. */
  private isAwaited = false;
  /** The ids of its ways to log in. */
  private logins: readonly string[] = [];

  /** Starts a program: `argv` may put it into a sandbox. Throws an AgentError if that does not work. */
  static async start(
    command: readonly string[],
    { argv, ...options }: ProcessOptions & { readonly argv: readonly string[] },
    events: AcpEvents,
  ): Promise<AcpConnection> {
    try {
      const group = await ProcessGroup.start(argv, ['pipe', 'pipe', 'pipe'], options);
      return new AcpConnection(command, group, events);
    } catch (error) {
      throw asAgentError(error);
    }
  }

  private constructor(argv: readonly string[], group: ProcessGroup, events: AcpEvents) {
    this.group = group;
    this.files = events.files;
    this.name = nameOf(argv);
    this.failure = new Promise((_, reject) => {
      this.fail = reject;
    });
    this.failure.catch(() => {});
    const { stdin, stdout, stderr } = group.child;
    stderr!.on('data', (chunk: Buffer) => this.stderr.add(chunk));
    let deliver!: (message: JsonObject) => void;
    const readable = new ReadableStream<never>({
      start: (controller) => {
        deliver = (message) => controller.enqueue(message as never);
      },
    });
    const writable = new WritableStream<unknown>({
      write: (message) => void stdin!.write(`${JSON.stringify(message)}\n`),
    });
    const lines = new LineReader(OUTPUT_LIMIT_BYTES, {
      onLine: (line) => this.receive(line, { events, deliver }),
      onFlood: () =>
        this.fail(
          this.errorOf('limit', `sent a message of more than ${OUTPUT_LIMIT_BYTES / 1024 / 1024} MB`),
        ),
    });
    stdout!.on('data', (chunk: Buffer) => lines.add(chunk));
    this.connection = client({ name: 'assay' })
      .onRequest('session/request_permission', ({ params }) => events.onPermission(params as never) as never)
      .connect({ readable, writable });
    void group.ended.then((exit) =>
      this.fail(this.errorOf('agent', describeExit(exit) ?? 'exited with code 0 before the turn ended')),
    );
  }

  /** What it printed since the last time, besides its messages. */
  takePrinted(): string {
    return this.noise.take() + this.stderr.take();
  }

  async initialize(): Promise<void> {
    const hasFiles = this.files !== undefined;
    const agent = await this.request('initialize', {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: hasFiles, writeTextFile: hasFiles }, terminal: false },
      clientInfo: { name: 'assay', version: '0' },
    });
    const methods = (listAt(agent, 'authMethods') ?? []).filter(isJsonObject);
    this.logins = methods.flatMap((method) => textAt(method, 'id') ?? []);
  }

  /** Rejects with an AgentError if the program refuses, ends, or does not speak ACP. */
  async request(method: string, params: JsonObject): Promise<JsonObject> {
    let answer: Json;
    this.isAwaited = true;
    try {
      answer = await Promise.race([this.connection.agent.request<Json>(method, params), this.failure]);
    } catch (error) {
      if (error instanceof AgentError) throw error;
      await nextTurn();
      throw this.refused(method, error);
    }
    // What it printed before its answer is in another pipe, which is read in the same turn.
    await nextTurn();
    if (isJsonObject(answer)) return answer;
    if (answer === null || answer === undefined) return {};
    throw this.errorOf(
      'contract',
      `answered ${method} with ${JSON.stringify(answer)}, which is not an object`,
    );
  }

  notify(method: string, params: JsonObject): void {
    this.connection.agent.notify(method, params).catch(() => {});
  }

  errorOf(kind: 'agent' | 'contract' | 'limit' | 'config', what: string): AgentError {
    const said = lastLines(this.stderr.text()) || lastLines(this.noise.text());
    const printed = this.takePrinted();
    return new AgentError(kind, `${this.name} ${what}${said === '' ? '' : `:\n${said}`}`, { printed });
  }

  private refused(method: string, error: unknown): AgentError {
    const { message, code, data } = error as Error & { readonly code?: number; readonly data?: unknown };
    const details = isJsonObject(data as Json) ? ownValue(data as JsonObject, 'details') : data;
    const more = typeof details === 'string' && details !== message ? `: ${details}` : '';
    if (code === AUTH_REQUIRED)
      return this.errorOf(
        'config',
        `is not logged in: log in with the program itself, or set \`auth\`${this.logins.length === 0 ? '' : ` to one of ${this.logins.join(', ')}`}\n${message}${more}`,
      );
    return this.errorOf('agent', `refused ${method}: ${message}${more}`);
  }

  private receive(
    line: string,
    { events, deliver }: { readonly events: AcpEvents; deliver(message: JsonObject): void },
  ): void {
    if (line.trim() === '') return;
    const message = parseMessage(line);
    if (message === undefined) {
      // Later a stray line does no harm: the messages around it are whole.
      if (this.hasAnswered) return this.noise.add(Buffer.from(`${line}\n`));
      const shown = line.length > 200 ? `${line.slice(0, 199)}…` : line;
      return this.fail(
        this.errorOf('contract', `does not speak ACP: it printed this in place of a message: ${shown}`),
      );
    }
    this.hasAnswered = true;
    const params = ownValue(message, 'params');
    const method = ownValue(message, 'method');
    if (method === undefined) this.isAwaited = false;
    if (typeof method === 'string' && method.startsWith('fs/') && this.files !== undefined)
      this.serveFile(method, message);
    else if (method !== 'session/update') deliver(message);
    else if (isJsonObject(params)) events.onUpdate(params);
  }

  /** At once, in the order of the messages: what comes after the end of a turn is too late. */
  private serveFile(method: string, message: JsonObject): void {
    const [id, params] = [ownValue(message, 'id'), ownValue(message, 'params') ?? {}];
    if (id === undefined) return;
    const answer = (content: JsonObject): void => {
      this.group.child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...content })}\n`);
    };
    try {
      answer({ result: this.fileFor(method, isJsonObject(params) ? params : {}) });
    } catch (error) {
      const { code, message: reason } = error as FileRequestError;
      answer({ error: { code, message: reason } });
      if (code !== NOT_FOUND) this.noise.add(Buffer.from(`Assay refused ${method}: ${reason}\n`));
    }
  }

  private fileFor(method: string, params: JsonObject): JsonObject {
    if (method !== 'fs/read_text_file' && method !== 'fs/write_text_file')
      throw new FileRequestError(-32601, 'method not found');
    if (!this.isAwaited) throw new FileRequestError(-32600, 'the turn is over');
    if (this.group.child.stdin!.writableLength > OUTPUT_LIMIT_BYTES)
      throw new FileRequestError(-32603, 'the answers before it were not read');
    return this.files!(method, params);
  }
}

/** The program that speaks, not what runs it. */
function nameOf(argv: readonly string[]): string {
  const words = argv.map((word) => word.split('/').at(-1)!);
  const [first = '', second] = words;
  return (/^(?:node|npx|bunx|uvx|python3?)$/.test(first) ? second : undefined) ?? first;
}

/** JSON-RPC of ACP. */
const AUTH_REQUIRED = -32000;

function parseMessage(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as Json;
    return isJsonObject(value) && value['jsonrpc'] === '2.0' ? value : undefined;
  } catch {
    return undefined;
  }
}
