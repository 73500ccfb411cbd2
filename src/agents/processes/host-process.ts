import type { Duplex } from 'node:stream';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { DEPTH_LIMIT, parseJson } from '../../base/model/parse-json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { startTimer, stopTimer } from '../../base/system/system-time.ts';
import { Capture, lastLines } from './capture.ts';
import { KILL_GRACE_MS, OUTPUT_LIMIT_BYTES } from './limits.ts';
import { LineReader } from './line-reader.ts';
import { ProcessGroup, type Exit, type ProcessOptions } from './process-group.ts';
import { describeExit } from './run-process.ts';

export interface HostOptions {
  /**
   * It works on several calls at once: one that is aborted ends alone, if the host still answers a ping. Default: false, one
   * that is aborted ends the host.
   */
  readonly isConcurrent?: boolean | undefined;
  /** Answers what the host asks. Without it, a host that asks is broken. */
  readonly onAsk?: ((question: JsonObject) => Promise<Json>) | undefined;
  /** Called with how it ended, if it ended by itself while no call was under way. */
  readonly onIdleEnd?: ((how: string) => void) | undefined;
  /** How long a line of it may be. */
  readonly lineLimitBytes?: number | undefined;
  /** How much is kept of what it prints until somebody takes it. */
  readonly keptOutputBytes?: number | undefined;
}

/** `ended`: by itself, or because somebody else ended it. `unexpected`: a line that answers no call. */
type HostFailure = 'aborted' | 'ended' | 'flooded' | 'killed' | 'unexpected' | 'unreadable';

interface HostErrorDetails {
  readonly pending?: readonly object[];
  readonly said?: string;
  readonly cause?: unknown;
}

/** Why a call has no answer. Its message is the rest of a sentence: `was killed by SIGKILL`. */
export class HostError extends Error {
  readonly reason: HostFailure;
  /** The requests that were under way, this one among them: if there are several, nobody knows which of them did it. */
  readonly pending: readonly object[];
  /** The end of what a host that ended wrote to stderr, for after the sentence: nothing, or `:\n` and lines. */
  readonly said: string;

  constructor(
    reason: HostFailure,
    message: string,
    { pending = [], said = '', cause }: HostErrorDetails = {},
  ) {
    super(message, { cause });
    this.name = 'HostError';
    this.reason = reason;
    this.pending = pending;
    this.said = said;
  }
}

interface Pending {
  readonly request: object;
  readonly isPing: boolean;
  /** What it printed may still be on its way. */
  isAnswered: boolean;
  resolve(answer: JsonObject): void;
  reject(error: HostError): void;
}

interface Sending {
  readonly signal?: AbortSignal | undefined;
  readonly isPing?: boolean;
}

/**
 * A program that runs code of users. It gets lines of JSON on descriptor 3 and writes lines of JSON to descriptor 4, so that
 * nothing its code prints can get in between. It ends when descriptor 3 does, and so it ends with this process.
 *
 * To the host: `{"call": n, ...request}`, `call` always first; `{"note", ...}`, which has no answer; `{"call": n, "ping": true}`; `{"abort": n, "reason"}` to a concurrent host, which
 * may still answer that call; `{"answer": n, "reply"}` or `{"answer": n, "error": text}`.
 * From the host: `{"call": n, ...answer}`, where `printed` is how many bytes went to stdout and stderr since the start, for the call to
 * end when all of them have arrived; `{"ask": n, ...question}`.
 */
export class HostProcess {
  private readonly group: ProcessGroup;
  private readonly requests: Duplex;
  private readonly isConcurrent: boolean;
  private readonly onAsk: HostOptions['onAsk'];
  private readonly onIdleEnd: HostOptions['onIdleEnd'];
  private readonly stdout: Capture;
  private readonly stderr: Capture;
  private readonly sent = new Map<number, Pending>();
  /** Nobody waits for these any more, but they may be answered. */
  private readonly abandoned = new Map<number, Pending>();
  private readonly onOutput = new Set<() => void>();
  private lastNumber = 0;
  private unwritten = '';
  private isFlushing = false;
  private isDone = false;

  /** Throws a SpawnError if the program cannot be started. */
  static async start(argv: readonly string[], options: HostOptions & ProcessOptions): Promise<HostProcess> {
    const group = await ProcessGroup.start(argv, ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'], options);
    return new HostProcess(group, options);
  }

  /** `group`: a program that was started with pipes for descriptors 1 to 4. */
  constructor(
    group: ProcessGroup,
    {
      isConcurrent = false,
      onAsk,
      onIdleEnd,
      keptOutputBytes = OUTPUT_LIMIT_BYTES,
      lineLimitBytes = OUTPUT_LIMIT_BYTES,
    }: HostOptions,
  ) {
    this.group = group;
    this.isConcurrent = isConcurrent;
    this.onAsk = onAsk;
    this.onIdleEnd = onIdleEnd;
    this.stdout = new Capture(keptOutputBytes);
    this.stderr = new Capture(keptOutputBytes);
    const { stdout, stderr, stdio } = group.child;
    this.requests = stdio[3] as Duplex;
    const lines = new LineReader(lineLimitBytes, {
      onLine: (line) => this.receive(line),
      onFlood: () => this.fail('flooded', `returned more than ${lineLimitBytes / 1024 / 1024} MB`),
    });
    (stdio[4] as Duplex).on('data', (chunk: Buffer) => lines.add(chunk));
    stdout!.on('data', (chunk: Buffer) => this.print(this.stdout, chunk));
    stderr!.on('data', (chunk: Buffer) => this.print(this.stderr, chunk));
    void group.ended.then((exit) => this.end(exit));
  }

  /** Whether it can take a call. */
  get isUsable(): boolean {
    return !this.isDone && !this.group.hasExited;
  }

  /** The requests under way. */
  get pending(): readonly object[] {
    return [...this.sent.values()].filter(({ isPing }) => !isPing).map(({ request }) => request);
  }

  /** How many calls it works on, also those that nobody waits for any more. */
  get underWay(): number {
    return this.pending.length + [...this.abandoned.values()].filter(({ isPing }) => !isPing).length;
  }

  /** What it answers. Rejects with a HostError, or with a RangeError if the request is nested too deeply to be sent. */
  call(request: object, signal?: AbortSignal): Promise<JsonObject> {
    return this.send(request, { signal });
  }

  /** Tells it something that has no answer: together with the next call, or soon. */
  note(message: object): void {
    if (!this.isUsable) return;
    this.write(printLine(message));
  }

  /** Whether it answers in time. A host does not while code of users keeps it busy. */
  ping(limitMs: number): Promise<boolean> {
    const answered = this.send({ ping: true }, { isPing: true, signal: AbortSignal.timeout(limitMs) });
    return answered.then(
      () => true,
      () => false,
    );
  }

  /** What it printed since the last time, stdout first. */
  takePrinted(): string {
    return this.stdout.take() + this.stderr.take();
  }

  /** Ends it and all that it started. Calls under way reject when it has ended. */
  stop(): Promise<void> {
    this.isDone = true;
    return this.group.stop();
  }

  /** Ends it at once. Calls under way reject; returns their requests. */
  kill(): readonly object[] {
    const { pending } = this;
    this.fail('killed', 'was killed');
    this.group.kill();
    return pending;
  }

  /** Ends one that is of no use any more, and started nothing. */
  discard(): Promise<void> {
    this.isDone = true;
    return this.group.discard();
  }

  /** Lets it end by itself, as a program does whose input is over, before it is stopped. */
  async retire(): Promise<void> {
    if (this.isUsable && this.sent.size === 0) {
      this.isDone = true;
      this.requests.end();
      await Promise.race([
        this.group.ended,
        new Promise<void>((resolve) => startTimer(resolve, KILL_GRACE_MS).unref()),
      ]);
    }
    await this.stop();
  }

  private send(request: object, { signal, isPing = false }: Sending): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const number = ++this.lastNumber;
      const line = printLine({ call: number, ...request });
      if (signal?.aborted === true) throw new HostError('aborted', STOPPED);
      if (!this.isUsable) throw new HostError('ended', 'has ended');
      const onAbort = (): void => this.abandon(number, signal!.reason);
      const settle = (done: () => void): void => {
        this.sent.delete(number);
        signal?.removeEventListener('abort', onAbort);
        done();
      };
      this.sent.set(number, {
        request,
        isPing,
        isAnswered: false,
        resolve: (answer) => settle(() => resolve(answer)),
        reject: (error) => settle(() => reject(error)),
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      this.write(line);
    });
  }

  /** Its signal was aborted. */
  private abandon(number: number, reason: unknown): void {
    const pending = this.sent.get(number)!;
    const { isPing, reject } = pending;
    reject(new HostError('aborted', STOPPED, { pending: this.pending }));
    if (!isPing && !this.isConcurrent) return void this.stop();
    this.abandoned.set(number, pending);
    if (isPing) return;
    this.write(printLine({ abort: number, reason: reason instanceof Error ? reason.message : STOPPED }));
    void this.ping(PING_LIMIT_MS).then((isAlive) => isAlive || this.kill());
  }

  private receive(line: string): void {
    if (this.isDone) return;
    let message: Json;
    try {
      // A reply may be as deep as replies may be, and it is inside of an answer.
      message = parseJson(line, { maxDepth: DEPTH_LIMIT + 10 });
    } catch (error) {
      const cause = error as Error;
      return this.fail('unreadable', `wrote a line that cannot be read: ${cause.message}`, { cause });
    }
    const read = (key: string) => (isJsonObject(message) ? ownValue(message, key) : undefined);
    if (read('ask') !== undefined && this.onAsk !== undefined) return void this.answer(message as JsonObject);
    const number = read('call') as number;
    const pending = this.sent.get(number);
    if (pending?.isAnswered === false) {
      pending.isAnswered = true;
      return this.whenPrinted(read('printed'), () => pending.resolve(message as JsonObject));
    }
    // A line that answers another call than those under way would put every later answer one call off.
    if (!this.abandoned.delete(number))
      this.fail('unexpected', 'wrote to the pipe that is reserved for its replies');
  }

  private async answer(question: JsonObject): Promise<void> {
    const answer = question['ask'];
    let line: string;
    try {
      line = printLine({ answer, reply: await this.onAsk!(question) });
    } catch (error) {
      line = printLine({ answer, error: (error as Error).message });
    }
    this.write(line);
  }

  /** What comes in one turn is written at once. */
  private write(line: string): void {
    this.unwritten += line;
    if (this.isFlushing) return;
    this.isFlushing = true;
    process.nextTick(() => {
      this.isFlushing = false;
      this.flush();
    });
  }

  private flush(): void {
    if (this.unwritten === '') return;
    this.requests.write(this.unwritten);
    this.unwritten = '';
  }

  /** What was printed comes through other pipes than the answer, and may be late. */
  private whenPrinted(counts: Json | undefined, then: () => void): void {
    const [out = 0, err = 0] = (Array.isArray(counts) ? counts : []) as number[];
    const isComplete = () => this.stdout.received >= out && this.stderr.received >= err;
    if (isComplete()) return then();
    const done = () => {
      stopTimer(timer);
      this.onOutput.delete(check);
      then();
    };
    const check = () => {
      if (isComplete() || this.isDone) done();
    };
    const timer = startTimer(done, LATE_OUTPUT_MS);
    this.onOutput.add(check);
  }

  private print(capture: Capture, chunk: Buffer): void {
    capture.add(chunk);
    for (const check of this.onOutput) check();
  }

  /** It is of no use any more. */
  private fail(reason: HostFailure, message: string, details?: HostErrorDetails): void {
    void this.stop();
    const { pending } = this;
    for (const { reject } of this.sent.values())
      reject(new HostError(reason, message, { ...details, pending }));
  }

  private end(exit: Exit): void {
    const isIdle = !this.isDone && this.underWay === 0;
    this.isDone = true;
    for (const check of this.onOutput) check();
    const said = lastLines(this.stderr.text());
    const how = describeExit(exit) ?? 'exited with code 0';
    if (isIdle) this.onIdleEnd?.(how);
    this.fail('ended', how, { said: said === '' ? '' : `:\n${said}` });
  }
}

const STOPPED = 'was stopped before it replied';
const LATE_OUTPUT_MS = 1000;
/** For a host to show that its code does not block. */
const PING_LIMIT_MS = 1000;

function printLine(message: object): string {
  return `${printJson(message)}\n`;
}
