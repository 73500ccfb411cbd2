import { isRecognised } from '../evidence/recognise.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { AgentRequest } from '../model/reply.ts';
import { AgentError, type Agent, type RawReply, type NowOrLater, type Session } from './contract.ts';
import { passingFailure } from './classify-thrown.ts';
import { copyResult } from './copy-result.ts';
import { describeThrown } from './describe-thrown.ts';
import { enterCall, FunctionCall, guardProcess, leaveCall, suspendCall } from './function-call.ts';
import { isLive, settleResult } from './live-result.ts';
import { plainJson } from './plain-json.ts';
import { eventsIn } from './events-in-text.ts';
import { LEFT_OUT } from './read-trace.ts';
import { stoppedError } from './stopped-error.ts';

/** The rest of the request, and a signal that aborts when the step's time is over. */
export type CallContext = Omit<AgentRequest, 'input' | 'memory'> & { readonly signal: AbortSignal };

/** An agent as a function: it returns a reply or a text, or a promise of one. */
export type AgentFunction = (input: string, memory: JsonObject, context: CallContext) => unknown;

export interface FunctionAgentOptions {
  readonly name: string;
  /** More than one only for a function that says it can run in parallel. */
  readonly workers?: number | undefined;
}

/** Calls a function of this process. A function that blocks the thread cannot be stopped. */
export function createFunctionAgent(run: AgentFunction, { name, workers = 1 }: FunctionAgentOptions): Agent {
  const release = guardProcess();
  const session: Session = {
    send: (request, signal) => callOnce(run, request, signal),
    close: () => {},
  };
  return {
    name,
    workers,
    open: () => session,
    close() {
      release();
      return Promise.resolve();
    },
  };
}

/** A function that returns its reply is answered for at once: tests of such agents run by the hundred thousand. */
function callOnce(run: AgentFunction, request: AgentRequest, signal: AbortSignal): NowOrLater<RawReply> {
  if (signal.aborted) throw stoppedError(signal);
  const { input, input_messages, conversation_id, memory, test, step, attempt } = request;
  const call = new FunctionCall(signal);
  enterCall(call);
  let result: unknown;
  try {
    const context = {
      input_messages: plainJson(input_messages) as AgentRequest['input_messages'],
      conversation_id,
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
    };
    result = run(input, plainJson(memory) as JsonObject, context);
    if (!isPromise(result) && !isLive(result)) {
      leaveCall(call);
      return toRawReply(result, call);
    }
  } catch (error) {
    leaveCall(call);
    throw toAgentError(error, call);
  }
  suspendCall();
  return settle(isPromise(result) ? result : Promise.resolve(result), call, signal);
}

function settle(result: PromiseLike<unknown>, call: FunctionCall, signal: AbortSignal): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(stoppedError(signal, call.printed));
      call.abandon();
    };
    const end = () => {
      leaveCall(call);
      signal.removeEventListener('abort', onAbort);
    };
    call.onFail = (error) => reject(withPrinted(error, call));
    if (call.error !== undefined) call.onFail(call.error);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const onSettled = (value: unknown, firstAt?: number) => {
      end();
      try {
        resolve({ ...toRawReply(value, call), ...timeToFirstToken(call, firstAt) });
      } catch (error) {
        reject(toAgentError(error, call));
      }
    };
    // A stream is read while the call lasts: what the agent does then is still its own.
    const onValue = (value: unknown) => {
      if (isLive(value)) settleResult(value).then((read) => onSettled(read.value, read.firstAt), onError);
      else onSettled(value);
    };
    const onError = (error: unknown) => {
      end();
      reject(toAgentError(error, call));
    };
    try {
      result.then(onValue, onError);
    } catch (error) {
      onError(error);
    }
  });
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}

function toRawReply(value: unknown, call: FunctionCall): RawReply {
  if (call.error !== undefined) throw call.error;
  return { reply: toJson(value), printed: call.printed, unreported: LEFT_OUT };
}

/** A reply of our own must be plain data: what could not be recorded would be judged as if it were not there. */
function toJson(value: unknown): Json | undefined {
  if (typeof value === 'string') return eventsIn(value) ?? plainJson(value);
  if (isOwnReply(value)) return plainJson(value);
  const copy = copyResult(value);
  return copy !== undefined && isRecognised(copy) ? copy : plainJson(value);
}

function isOwnReply(value: unknown): boolean {
  return (
    typeof value !== 'object' || value === null || typeof (value as { output?: unknown }).output === 'string'
  );
}

function timeToFirstToken(call: FunctionCall, firstAt: number | undefined): Partial<RawReply> {
  return firstAt === undefined ? {} : { timeToFirstTokenMs: Math.max(0, firstAt - call.startedAt) };
}

function toAgentError(error: unknown, call: FunctionCall): AgentError {
  if (call.error !== undefined) return withPrinted(call.error, call);
  if (error instanceof AgentError) return withPrinted(error, call);
  const passing = passingFailure(error);
  const kind = passing === undefined ? 'agent' : 'infrastructure';
  return new AgentError(kind, `the agent threw ${describeThrown(error, import.meta.filename)}`, {
    ...passing,
    printed: call.printed,
    cause: error,
  });
}

function withPrinted({ kind, message, cause }: AgentError, { printed }: FunctionCall): AgentError {
  return new AgentError(kind, message, { printed, cause });
}
