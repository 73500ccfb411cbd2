import { format, inspect } from 'node:util';
import { contextNow } from '../evidence/observe/recorder.ts';
import { OUTPUT_LIMIT_BYTES } from './processes/limits.ts';
import { monotonicMs } from '../base/system/system-time.ts';
import { AgentError } from './contract.ts';

/** A call of an agent's function that has not returned. While there are any, what is written to the console is theirs. */
export class FunctionCall {
  printed = '';
  readonly startedAt = monotonicMs();
  error: AgentError | undefined;
  /** Told as soon as the call is known to have failed, when it is still waited for. */
  onFail: ((error: AgentError) => void) | undefined;
  private readonly limit: AbortSignal;
  private own: AbortController | undefined;
  private letGo: (() => void) | undefined;
  private isGivenUp = false;
  private hasEnded = false;

  constructor(limit: AbortSignal) {
    this.limit = limit;
  }

  /** Of this call alone, whatever its agent does with it. Most never look at it, and making one is not free. */
  get signal(): AbortSignal {
    if (this.own === undefined) {
      const { limit } = this;
      const own = (this.own = new AbortController());
      const onLimit = (): void => own.abort(limit.reason);
      if (limit.aborted) onLimit();
      else if (!this.hasEnded) limit.addEventListener('abort', onLimit, { once: true });
      this.letGo = () => limit.removeEventListener('abort', onLimit);
    }
    return this.own.signal;
  }

  /** Nobody waits for it any more. */
  get isAbandoned(): boolean {
    return this.isGivenUp;
  }

  /** The same, and it has not returned. */
  get isGoingOn(): boolean {
    return this.isGivenUp && !this.hasEnded;
  }

  /** It has returned. Said twice when what it returned is an error. */
  end(): void {
    this.letGo?.();
    if (this.isGivenUp && !this.hasEnded) abandoned--;
    this.hasEnded = true;
    calls.delete(this);
  }

  /** Nobody waits for it any more, but it cannot be stopped. It may never return: nothing of it is held here. */
  abandon(): void {
    if (this.isGivenUp) return;
    this.isGivenUp = true;
    if (calls.delete(this)) abandoned++;
  }

  fail(error: AgentError): void {
    this.error ??= error;
    this.onFail?.(error);
    this.abandon();
  }

  print(text: string): void {
    if (this.printed.length < OUTPUT_LIMIT_BYTES) this.printed += text;
  }
}

/** Those that are waited for. */
const calls = new Set<FunctionCall>();
/** The last call of each attempt that is watched, by its context. */
const callsByContext = new WeakMap<object, FunctionCall>();
/** Errors that nobody caught, of calls that had returned. */
let lateErrors: unknown[] = [];
/** How many were given up on and have not returned. */
let abandoned = 0;
/** The call that is on the stack right now. */
let running: FunctionCall | undefined;
let guards = 0;

/** `context`: of its attempt, where it is watched. */
export function enterCall(call: FunctionCall, context: object | undefined): void {
  if (context !== undefined) callsByContext.set(context, call);
  calls.add(call);
  running = call;
}

/** The function has returned, if only a promise. */
export function suspendCall(): void {
  running = undefined;
}

export function leaveCall(call: FunctionCall): void {
  call.end();
  running = undefined;
}

/** Guards the process until the function that is returned is called. Guards may overlap. */
export function guardProcess(): () => void {
  if (guards++ === 0) install();
  let isHeld = true;
  return () => {
    if (isHeld && --guards === 0) uninstall();
    isHeld = false;
  };
}

/** The errors that agents caused after their replies and that nobody caught, since this was asked last. */
export function takeLateErrors(): readonly unknown[] {
  const late = lateErrors;
  lateErrors = [];
  return late;
}

/** The same of agents in other processes. */
export function noteLateErrors(errors: readonly unknown[]): void {
  for (const error of errors) lateErrors.push(error);
}

const METHODS = ['log', 'info', 'debug', 'warn', 'error', 'dir'] as const;
type Method = (typeof METHODS)[number];

interface Originals {
  readonly writes: readonly (readonly [NodeJS.WriteStream, NodeJS.WriteStream['write']])[];
  readonly console: Readonly<Record<Method, (...args: unknown[]) => void>>;
}

let original: Originals | undefined;

function install(): void {
  const methods = Object.fromEntries(
    METHODS.map((method) => [method, console[method]]),
  ) as Originals['console'];
  const streams: readonly NodeJS.WriteStream[] = [process.stdout, process.stderr];
  const writes = streams.map((stream) => [stream, stream.write] as const);
  original = { console: methods, writes };
  for (const [stream, write] of writes) stream.write = ownWrites(stream, write);
  for (const method of METHODS) {
    console[method] = (...args: unknown[]) => {
      const call = owner();
      if (call === undefined) methods[method](...args);
      else call.print(`${method === 'dir' ? inspect(args[0], args[1] as object) : format(...args)}\n`);
    };
  }
}

function uninstall(): void {
  if (original === undefined) return;
  for (const [stream, write] of original.writes) stream.write = write;
  Object.assign(console, original.console);
  original = undefined;
}

/** What a call writes past the console. While it waits, others of this process may write too, and keep what is theirs. */
function ownWrites(stream: NodeJS.WriteStream, write: typeof stream.write): typeof stream.write {
  return (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    if (running === undefined) return (write as (...args: unknown[]) => boolean).call(stream, chunk, ...rest);
    running.print(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    const done = rest.find((argument) => typeof argument === 'function') as (() => void) | undefined;
    if (done !== undefined) process.nextTick(done);
    return true;
  };
}

/** In the process of an agent, where every error that nobody caught is its. `crash` ends the process: nobody knows which of its calls it was. */
export function catchUncaught(crash: () => void): void {
  process.on('uncaughtException', (error) => onUncaught(error, crash));
}

function onUncaught(error: unknown, crash: () => void): void {
  const context = contextNow();
  const own = context === undefined ? undefined : callsByContext.get(context);
  if (own?.isGoingOn === true) return;
  if (calls.size + abandoned === 0 || (own !== undefined && !calls.has(own))) {
    // Left behind by a call that has returned: no other test may suffer for it.
    if (own?.isAbandoned !== true) lateErrors.push(error);
    original!.console.error(`assay: the agent caused an uncaught error: ${inspect(error)}`);
    return;
  }
  if (own === undefined && calls.size + abandoned > 1) {
    original!.console.error(inspect(error));
    return crash();
  }
  const [call = own] = own === undefined ? calls : [own];
  call?.fail(
    error instanceof AgentError
      ? error
      : new AgentError('agent', `the agent caused an uncaught error: ${inspect(error)}`),
  );
}

/** Whose doing something is, when that can be known. */
function owner(): FunctionCall | undefined {
  if (running !== undefined) return running;
  const context = contextNow();
  const own = context === undefined ? undefined : callsByContext.get(context);
  if (own !== undefined) return calls.has(own) ? own : undefined;
  const [only, other] = calls;
  return other === undefined ? only : undefined;
}
