import { Observation, type StepScope } from '../evidence/observe/observation.ts';
import {
  beginAttempt,
  endAttempt,
  leaveStray,
  runInContext,
  runUnwatched,
  stepNow,
  watchProcess,
} from '../evidence/observe/recorder.ts';
import { frameworkHint } from '../evidence/reply/known-framework.ts';
import { hasAnswer } from '../evidence/reply/no-answer.ts';
import { isRecognised } from '../evidence/recognise.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../base/model/approval.ts';
import { quoteName } from '../base/schema/did-you-mean.ts';
import { isJsonObject, type Json, type JsonObject } from '../base/model/json.ts';
import type { AgentRequest } from '../base/model/reply.ts';
import {
  AgentError,
  type Agent,
  type OpenOptions,
  type RawReply,
  type NowOrLater,
  type Session,
  type Observing,
} from './contract.ts';
import { passingFailure } from './classify-thrown.ts';
import { copyResult } from './copy-result.ts';
import { describeThrown } from './describe-thrown.ts';
import { enterCall, FunctionCall, guardProcess, leaveCall, suspendCall } from './function-call.ts';
import { isLive, settleResult } from './live-result.ts';
import { plainJson } from './plain-json.ts';
import { eventsIn } from '../evidence/reply/events-in-text.ts';
import { LEFT_OUT } from '../evidence/reply/read-trace.ts';
import { monotonicMs } from '../base/system/system-time.ts';
import { stoppedError } from './stopped-error.ts';

/** The rest of the request, and a signal that aborts when the step's time is over. */
export type AgentContext = Omit<AgentRequest, 'input' | 'memory'> & {
  readonly signal: AbortSignal;
  /** Asks for a permission, or for any other answer, and waits for it: `approvals` of the test decide, or its next step. */
  approve(asked: ApprovalRequest): Promise<ApprovalAnswer>;
};

/** An agent as a function: it returns a reply or a text, or a promise of one. */
export type AgentFunction = (input: string, memory: JsonObject, context: AgentContext) => unknown;

export interface FunctionAgentOptions {
  readonly name: string;
  /** More than one only for a function that says it can run in parallel. */
  readonly workers?: number | undefined;
  /** Whether its model calls are watched. Default: true. */
  readonly observe?: Observing | undefined;
  /** The function for the tests of a file, where that may be another one. */
  readonly functionFor?: ((file: string) => NowOrLater<AgentFunction>) | undefined;
}

/** Calls a function of this process. A function that blocks the thread cannot be stopped. */
export function createFunctionAgent(
  run: AgentFunction,
  { name, workers, observe = true, functionFor }: FunctionAgentOptions,
): Agent {
  const waits = new Waits();
  // A function that does not come from a file cannot export `workers`.
  const isSilent = workers === undefined && functionFor !== undefined;
  const release = guardProcess();
  const unwatch = observe ? watchProcess() : undefined;
  return {
    name,
    workers: workers ?? 1,
    modelCalls: observe ? 'observed' : undefined,
    isFunction: true,
    asksApproval: true,
    ...(isSilent && { waitedMs: () => waits.totalMs }),
    open({ file }, options) {
      const watched = observe ? (options ?? {}) : undefined;
      const found = functionFor?.(file) ?? run;
      const open = (loaded: AgentFunction) => new FunctionSession(loaded, { waits, watched, options });
      return found instanceof Promise ? (async () => open(await found))() : open(found);
    },
    close() {
      release();
      unwatch?.();
      return Promise.resolve();
    },
  };
}

/** The time between what a function returned at once, a promise, and what that came to. */
class Waits {
  totalMs = 0;

  /** Says that the wait is over. */
  begin(): () => void {
    const start = monotonicMs();
    return () => (this.totalMs += monotonicMs() - start);
  }
}

interface SessionOptions {
  readonly waits: Waits;
  readonly watched: OpenOptions | undefined;
  readonly options: OpenOptions | undefined;
}

class FunctionSession implements Session {
  private readonly options: OpenOptions | undefined;
  private readonly run: AgentFunction;
  private readonly waits: Waits;
  /** Undefined: nobody watches. */
  private readonly observation: Observation | undefined;

  constructor(run: AgentFunction, { waits, watched, options }: SessionOptions) {
    this.run = run;
    this.waits = waits;
    this.options = options;
    this.observation = watched === undefined ? undefined : new Observation(watched, stepNow);
    if (this.observation !== undefined) beginAttempt(this.observation);
  }

  send(request: AgentRequest, signal: AbortSignal): NowOrLater<RawReply> {
    const { run, waits, observation, options } = this;
    return callOnce(run, request, { signal, waits, scope: observation?.begin(request.step), options });
  }

  close(): void {
    if (this.observation !== undefined) endAttempt(this.observation);
  }
}

interface CallOptions {
  readonly signal: AbortSignal;
  readonly waits: Waits;
  /** Undefined: nobody watches. */
  readonly scope: StepScope | undefined;
  readonly options: OpenOptions | undefined;
}

/** A function that returns its reply is answered for at once: tests of such agents run by the hundred thousand. */
function callOnce(run: AgentFunction, request: AgentRequest, options: CallOptions): NowOrLater<RawReply> {
  const { signal, scope } = options;
  const observation = scope?.observation;
  if (signal.aborted) throw stoppedError(signal);
  const { input, input_messages, conversation_id, memory, settings, workspace, test, step, attempt } =
    request;
  const call = new FunctionCall(signal);
  if (observation?.beforeCall !== undefined) endWhenRefused(observation, call);
  enterCall(call, observation);
  let result: unknown;
  try {
    const context = {
      input_messages: plainJson(input_messages) as AgentRequest['input_messages'],
      conversation_id,
      // A copy: an agent that changes it changes nothing for other tests.
      settings: plainJson(settings) as JsonObject,
      workspace,
      test: { id: test.id, file: test.file },
      step,
      attempt,
      // Few agents need it, and a long conversation takes time to copy.
      get messages() {
        return plainJson(request.messages) as AgentRequest['messages'];
      },
      get signal() {
        return call.signal;
      },
      approve: (asked: ApprovalRequest) => askApproval(asked, options.options),
    };
    const own = plainJson(memory) as JsonObject;
    result = callInContext(scope, { run, input, memory: own, context });
    if (!isPromise(result) && !isLive(result)) {
      leaveCall(call);
      return toRawReply(result, call, observation);
    }
  } catch (error) {
    leaveCall(call);
    throw toAgentError(error, call, observation);
  }
  suspendCall();
  return settle(isPromise(result) ? result : Promise.resolve(result), call, options);
}

function askApproval(asked: unknown, options: OpenOptions | undefined): Promise<ApprovalAnswer> {
  const question = plainJson(asked);
  if (!isJsonObject(question) || typeof question['tool'] !== 'string')
    return Promise.reject(new TypeError('`approve` needs an object with `tool`, the name of a tool'));
  if (options?.approve === undefined)
    return Promise.reject(new Error('no one answers `approve` here: the agent is not part of a test'));
  return options.approve(question as unknown as ApprovalRequest);
}

// Both hold on to what they are given: inside of `callOnce` they would make every call of a fast agent twice as long.

function endWhenRefused(observation: Observation, call: FunctionCall): void {
  observation.onRefused = ({ kind, message }) => call.fail(new AgentError(kind, message));
}

interface ContextCall {
  readonly run: AgentFunction;
  readonly input: string;
  readonly memory: JsonObject;
  readonly context: AgentContext;
}

function callInContext(scope: StepScope | undefined, { run, input, memory, context }: ContextCall): unknown {
  const call = (): unknown => run(input, memory, context);
  return scope === undefined ? runUnwatched(call) : runInContext(scope, call);
}

function settle(
  result: PromiseLike<unknown>,
  call: FunctionCall,
  { signal, waits, scope }: CallOptions,
): Promise<RawReply> {
  const observation = scope?.observation;
  const onWaited = waits.begin();
  return new Promise((resolve, reject) => {
    let comeBack: (() => void) | undefined;
    // It runs on, and what it does then must not look like the doing of the next one.
    const giveUp = (error: AgentError): void => {
      reject(withPrinted(error, call, observation));
      if (observation === undefined) return;
      observation.isAbandoned = true;
      comeBack ??= leaveStray();
    };
    const onAbort = () => {
      giveUp(stoppedError(signal));
      call.abandon();
    };
    const end = () => {
      onWaited();
      comeBack?.();
      leaveCall(call);
      signal.removeEventListener('abort', onAbort);
    };
    call.onFail = giveUp;
    if (call.error !== undefined) call.onFail(call.error);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const onSettled = (value: unknown, firstAt?: number) => {
      end();
      try {
        resolve({ ...toRawReply(value, call, observation), ...timeToFirstToken(call, firstAt) });
      } catch (error) {
        reject(toAgentError(error, call, observation));
      }
    };
    // A stream is read while the call lasts: what the agent does then is still its own.
    const onValue = (value: unknown) => {
      if (isLive(value))
        whenSettled(settleResult(value), (read) => onSettled(read.value, read.firstAt), onError);
      else onSettled(value);
    };
    const onError = (error: unknown) => {
      end();
      reject(toAgentError(error, call, observation));
    };
    try {
      whenSettled(result, onValue, onError);
    } catch (error) {
      onError(error);
    }
  });
}

const plain = Promise.prototype;
/** Before code of users is loaded, which may replace it. Promises of SDKs have their own. */
const { then } = plain;
const { apply, getPrototypeOf } = Reflect;

function whenSettled<T>(
  result: PromiseLike<T>,
  onValue: (value: T) => void,
  onError: (error: unknown) => void,
): void {
  if (getPrototypeOf(result) === plain) apply(then, result, [onValue, onError]);
  else result.then(onValue, onError);
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}

function toRawReply(
  value: unknown,
  { error, printed }: FunctionCall,
  observation: Observation | undefined,
): RawReply {
  if (error !== undefined) throw error;
  return { reply: toJson(value), printed, unreported: LEFT_OUT, observed: observation?.take() };
}

/** A reply of our own must be plain data: what could not be recorded would be judged as if it were not there. */
function toJson(value: unknown): Json | undefined {
  if (typeof value === 'string') return eventsIn(value) ?? plainJson(value);
  if (isOwnReply(value)) return plainJson(value);
  const copy = copyResult(value);
  if (copy !== undefined && isRecognised(copy)) return copy;
  try {
    return plainJson(value);
  } catch (error) {
    throw foreignObject(value, copy) ?? error;
  }
}

/** An object of a framework is full of what JSON cannot represent: which of it came first helps nobody. */
function foreignObject(value: unknown, copy: Json | undefined): AgentError | undefined {
  if (typeof value !== 'object' || value === null || copy === undefined) return undefined;
  if (!isJsonObject(copy) || hasAnswer(copy)) return undefined;
  const { name } = value.constructor ?? {};
  const what = name === undefined || name === '' || name === 'Object' ? 'an object' : `an object (${name})`;
  const keys = Object.keys(copy).filter((key) => !key.startsWith('_'));
  const fields = keys.length === 0 ? '' : `: it has ${keys.slice(0, 10).map(quoteName).join(', ')}`;
  const hint = frameworkHint(copy) ?? 'return its text, such as `return result.text`';
  return new AgentError('contract', `the agent returned ${what} that Assay cannot read${fields}\n${hint}`);
}

function isOwnReply(value: unknown): boolean {
  return (
    typeof value !== 'object' || value === null || typeof (value as { output?: unknown }).output === 'string'
  );
}

function timeToFirstToken(call: FunctionCall, firstAt: number | undefined): Partial<RawReply> {
  return firstAt === undefined ? {} : { timeToFirstTokenMs: Math.max(0, firstAt - call.startedAt) };
}

function toAgentError(error: unknown, call: FunctionCall, observation: Observation | undefined): AgentError {
  if (call.error !== undefined) return withPrinted(call.error, call, observation);
  if (error instanceof AgentError) return withPrinted(error, call, observation);
  const passing = passingFailure(error);
  const kind = passing === undefined ? 'agent' : 'infrastructure';
  return new AgentError(kind, `the agent threw ${describeThrown(error, import.meta.filename)}`, {
    ...passing,
    printed: call.printed,
    cause: error,
    observed: observation?.take(),
  });
}

function withPrinted(
  { kind, message, cause }: AgentError,
  { printed }: FunctionCall,
  observation: Observation | undefined,
): AgentError {
  return new AgentError(kind, message, { printed, cause, observed: observation?.take() });
}
