import type { Duplex } from 'node:stream';
import type { ProxyPath } from '../evidence/observe/proxy.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { mayBeModelCall } from '../evidence/wire/recognise-model-call.ts';
import type { ErrorKind } from '../model/record.ts';
import { refusedStatus, type RefusedStatus } from '../model/refused-status.ts';
import { parseJson } from '../model/parse-json.ts';
import { Capture, lastLines } from '../processes/capture.ts';
import { KILL_GRACE_MS, OUTPUT_LIMIT_BYTES } from '../processes/limits.ts';
import { ProcessGroup, type Exit, type ProcessOptions } from '../processes/process-group.ts';
import { describeExit } from '../processes/run-process.ts';
import { asAgentError } from './agent-programs.ts';
import { AgentError, type RawReply } from './contract.ts';
import { LineReader } from './line-reader.ts';
import { printRequest } from './print-request.ts';
import { PYTHON_BRIDGE } from './python-bridge.ts';
import { eventsIn } from './events-in-text.ts';
import { LEFT_OUT } from './read-trace.ts';
import { stoppedError } from './stopped-error.ts';
import { startTimer, stopTimer } from '../system-time.ts';

/** The module of the agent cannot be loaded, or has no such function. */
export class PythonLoadError extends AgentError {
  facts: PythonLoadFacts = {};
}

export interface PythonLoadFacts {
  /** Of a syntax error. */
  readonly place?: Place;
  /** The name of a module that cannot be found. */
  readonly missing?: string | null;
  /** What the file has instead of the function. */
  readonly functions?: readonly string[];
}

interface Pending {
  resolve(answer: RawReply): void;
  reject(error: AgentError): void;
}

/** A python3 that holds the agent's module and answers one call at a time. */
export class PythonChild {
  /** The test file its module was last executed for. */
  lastFile: string | undefined;
  /** Where its model calls go, if they are watched. */
  modelCalls: ProxyPath | undefined;
  /** A thread that a call started was still at work when its reply came. */
  isAtWork = false;
  private readonly group: ProcessGroup;
  private readonly requests: Duplex;
  private readonly stdout = new Capture(OUTPUT_LIMIT_BYTES);
  private readonly stderr = new Capture(OUTPUT_LIMIT_BYTES);
  private pending: Pending | undefined;
  private calls = 0;
  private isDone = false;
  private onOutput: (() => void) | undefined;

  static async start(argv: readonly string[], options: ProcessOptions): Promise<PythonChild> {
    const [interpreter = '', ...rest] = argv;
    const all = [interpreter, '-u', '-c', PYTHON_BRIDGE, ...rest];
    try {
      const stdio = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as const;
      return new PythonChild(await ProcessGroup.start(all, [...stdio], options));
    } catch (error) {
      throw asAgentError(error);
    }
  }

  private constructor(group: ProcessGroup) {
    this.group = group;
    const { stdout, stderr, stdio } = group.child;
    this.requests = stdio[3] as Duplex;
    const lines = new LineReader(OUTPUT_LIMIT_BYTES, {
      onLine: (line) => this.receive(line),
      onFlood: () => this.fail(tooLong()),
    });
    (stdio[4] as Duplex).on('data', (chunk: Buffer) => lines.add(chunk));
    stdout!.on('data', (chunk: Buffer) => this.print(this.stdout, chunk));
    stderr!.on('data', (chunk: Buffer) => this.print(this.stderr, chunk));
    void group.ended.then((exit) => this.end(exit));
  }

  /** Whether it can take another call. */
  get isUsable(): boolean {
    return !this.isDone && !this.group.hasExited && this.pending === undefined;
  }

  async call(request: object, signal: AbortSignal): Promise<RawReply> {
    if (signal.aborted) throw stoppedError(signal);
    const line = `${printRequest({ call: ++this.calls, ...request })}\n`;
    return new Promise((resolve, reject) => {
      const onAbort = () => this.fail(stoppedError(signal, this.takePrinted()));
      const settle = (done: () => void): void => {
        this.pending = undefined;
        signal.removeEventListener('abort', onAbort);
        done();
      };
      this.pending = {
        resolve: (answer) => settle(() => resolve(answer)),
        reject: (error) => settle(() => reject(error)),
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.requests.write(line);
    });
  }

  stop(): Promise<void> {
    this.isDone = true;
    return this.group.stop();
  }

  /** Lets it end by itself, as a program does whose input is over, before it is stopped. */
  async retire(): Promise<void> {
    if (this.isUsable) {
      this.isDone = true;
      this.requests.end();
      await Promise.race([
        this.group.ended,
        new Promise<void>((resolve) => startTimer(resolve, KILL_GRACE_MS).unref()),
      ]);
    }
    await this.stop();
  }

  private receive(line: string): void {
    let answer: JsonObject;
    try {
      answer = parseJson(line) as JsonObject;
    } catch (error) {
      this.fail(new AgentError('contract', `the agent's reply cannot be read: ${(error as Error).message}`));
      return;
    }
    // A line that answers another call than the one under way would put every later reply one call off.
    const call = ownValue(answer, 'call');
    if (this.pending === undefined || (call !== this.calls && call !== null)) {
      this.fail(new AgentError('contract', 'the agent wrote to the pipe that is reserved for its replies'));
      return;
    }
    this.whenPrinted(ownValue(answer, 'printed'), () => this.finish(answer));
  }

  private finish(answer: JsonObject): void {
    if (ownValue(answer, 'busy') === true) this.isAtWork = true;
    const error = ownValue(answer, 'error');
    const printed = this.takePrinted();
    if (!isJsonObject(error)) {
      const reply = ownValue(answer, 'reply');
      const firstMs = ownValue(answer, 'first_ms');
      this.pending?.resolve({
        reply: typeof reply === 'string' ? (eventsIn(reply) ?? reply) : reply,
        printed,
        unreported: LEFT_OUT,
        timeToFirstTokenMs: typeof firstMs === 'number' ? firstMs : undefined,
      });
      return;
    }
    const { kind, message, facts } = error as unknown as PythonError;
    const details = { printed, refusedStatus: refusalOf(facts.refused) };
    if (kind !== 'load') return this.pending?.reject(new AgentError(kind, message, details));
    const failure = new PythonLoadError('agent', message, details);
    failure.facts = facts;
    this.pending?.reject(failure);
  }

  /** What was printed comes through other pipes than the reply, and may be late. */
  private whenPrinted(counts: Json | undefined, then: () => void): void {
    const [out = 0, err = 0] = (Array.isArray(counts) ? counts : []) as number[];
    const isComplete = () => this.stdout.received >= out && this.stderr.received >= err;
    if (isComplete()) return then();
    const done = () => {
      stopTimer(timer);
      this.onOutput = undefined;
      then();
    };
    const timer = startTimer(done, LATE_OUTPUT_MS);
    this.onOutput = () => {
      if (isComplete() || this.isDone) done();
    };
  }

  private print(capture: Capture, chunk: Buffer): void {
    capture.add(chunk);
    this.onOutput?.();
  }

  private takePrinted(): string {
    return this.stdout.take() + this.stderr.take();
  }

  /** The child is of no use any more. */
  private fail(error: AgentError): void {
    void this.stop();
    this.pending?.reject(error);
  }

  private end(exit: Exit): void {
    this.isDone = true;
    this.onOutput?.();
    if (this.pending === undefined) return;
    const said = lastLines(this.stderr.text());
    const how = describeExit(exit) ?? 'exited with code 0';
    const message = `the agent ${how} in the middle of a step${said === '' ? '' : `:\n${said}`}`;
    this.pending.reject(new AgentError('agent', message, { printed: this.takePrinted() }));
  }
}

interface PythonError {
  readonly kind: ErrorKind | 'load';
  readonly message: string;
  readonly facts: PythonLoadFacts & {
    readonly refused?: { readonly status: number; readonly url: string } | null;
  };
}

/** A tool of the agent may be refused too, which says nothing about the key of its model. */
function refusalOf(refused: PythonError['facts']['refused']): RefusedStatus | undefined {
  if (refused === null || refused === undefined || !URL.canParse(refused.url)) return undefined;
  return mayBeModelCall('POST', new URL(refused.url).pathname) ? refusedStatus(refused.status) : undefined;
}

const LATE_OUTPUT_MS = 1000;

function tooLong(): AgentError {
  return new AgentError(
    'limit',
    `the agent returned more than ${OUTPUT_LIMIT_BYTES / 1024 / 1024} MB in one step`,
  );
}
