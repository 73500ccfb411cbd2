import { writeSync } from 'node:fs';
import { inspect } from 'node:util';
import { blockConnections } from '../../evidence/observe/block-connections.ts';
import { takeLateCalls } from '../../evidence/observe/late-calls.ts';
import { NOTHING_SEEN } from '../../evidence/observe/observation.ts';
import type { CallDecision, ModelAnswer, WatchedCall } from '../../evidence/observe/before-call.ts';
import type { ApprovalAnswer } from '../../base/model/approval.ts';
import type { JsonObject } from '../../base/model/json.ts';
import { endCommand } from '../../base/system/command-end.ts';
import { AgentSetupError } from '../agent-setup-error.ts';
import {
  AgentError,
  type Agent,
  type NowOrLater,
  type OpenOptions,
  type RawReply,
  type Session,
} from '../contract.ts';
import { catchUncaught, takeLateErrors } from '../function-call.ts';
import { hasNativeCode } from '../fresh-modules.ts';
import { isAboutModuleTypes } from '../package-type.ts';
import { loadFunctionAgent } from '../load-function-agent.ts';
import type {
  AnswerData,
  CloseNote,
  DecisionData,
  EndAnswer,
  HostFailure,
  LoadAnswer,
  LoadRequest,
  LookRequest,
  SendAnswer,
  SendRequest,
  SessionOpening,
  WatchedExchange,
} from './messages.ts';
import { isLater, ParentLink } from './parent-link.ts';
import { flushTelemetry, runInTrace } from './trace-context.ts';
import { observeInputs, takeInputs } from './observe-inputs.ts';
import { runSoon } from '../../base/system/system-time.ts';

/*
 * The process that runs an agent's file: nothing that the file does reaches Assay. It holds one agent, and up to as many sessions at
 * once as the agent allows.
 */

class HostedSession {
  readonly session: Session;
  private readonly watched = new Map<number, WatchedCall>();
  /** Why its last step failed. */
  failure: HostFailure | undefined;

  constructor(session: Session) {
    this.session = session;
  }

  watch(number: number, call: WatchedCall): void {
    this.watched.set(number, call);
  }

  /** What is known by now about the calls that somebody watches. */
  toWatched(): readonly WatchedExchange[] {
    if (this.watched.size === 0) return NONE;
    return [...this.watched].map(([watch, call]) => ({
      watch,
      exchange: call.toExchange(),
      isModelCall: call.toModelExchange() !== undefined,
    }));
  }
}

const NONE: readonly never[] = [];

let lastWaitedMs = 0;

/** Since it was asked last. */
function takeWaited(): number {
  const totalMs = agent!.waitedMs?.() ?? 0;
  const waited = totalMs - lastWaitedMs;
  lastWaitedMs = totalMs;
  return waited;
}

/** Before code of users is loaded. */
const origin = performance.timeOrigin;

let agent: Agent | undefined;
const sessions = new Map<number, HostedSession>();
let link: ParentLink;
let isBlocking = false;
let seesInputs = false;

/** Before code of users is loaded. */
const exit = process.exit.bind(process);
const ownExitListeners = process.listenerCount('exit');
/** The modules of Node that were loaded: a list that grows. */
const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] };

export function startHost(): void {
  link = new ParentLink({
    call: answerCall,
    beforeAnswer: sendInputs,
    note: (note) => close(note as unknown as CloseNote),
  });
  catchUncaught(() => exit(1));
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (!isAboutModuleTypes(warning)) writeSync(2, `(node) ${warning.name}: ${warning.message}\n`);
  });
}

/** Not in the answer: nobody may wait for it any more. */
function sendInputs(): void {
  if (seesInputs) void link.ask({ inputs: takeInputs() }).catch(() => {});
}

/** A function that returns its reply is answered at once: each promise takes as long as the rest of the call. */
function answerCall(request: JsonObject, signal: AbortSignal): NowOrLater<object> {
  try {
    const answer = startCall(request, signal);
    return isLater(answer) ? answerLater(request, answer) : answer;
  } catch (error) {
    return toFailure(request, error);
  }
}

function startCall(request: JsonObject, signal: AbortSignal): NowOrLater<object> {
  if ('load' in request) return load(request as unknown as LoadRequest);
  if ('look' in request) return look(request as unknown as LookRequest);
  if ('end' in request) return end();
  return send(request as unknown as SendRequest, signal);
}

async function answerLater(request: JsonObject, answer: Promise<object>): Promise<object> {
  try {
    return await answer;
  } catch (error) {
    return toFailure(request, error);
  }
}

function toFailure(request: JsonObject, error: unknown): object {
  const { session } = request as unknown as Partial<SendRequest>;
  const hosted = session === undefined ? undefined : sessions.get(session);
  const failure = failureOf(error, hosted);
  if (hosted !== undefined) hosted.failure = failure;
  return { error: failure };
}

async function load({ load: file, variables, ...options }: LoadRequest): Promise<LoadAnswer> {
  // What was compiled is kept now: the process may be killed at any time.
  endCommand();
  for (const [name, value] of Object.entries(variables)) {
    if (value === null) delete process.env[name];
    else process.env[name] = value;
  }
  seesInputs = options.seesInputs;
  if (seesInputs) observeInputs(file, options.root);
  agent = await link.orNever(loadFunctionAgent(file, options));
  if (agent === undefined)
    throw new AgentSetupError(`${options.name} cannot be loaded: it never finishes`, {
      hint: 'look for an `await` at its top level that waits for nothing',
    });
  return {
    workers: agent.workers,
    isSilent: agent.waitedMs !== undefined,
    origin,
  };
}

function send(sent: SendRequest, signal: AbortSignal): NowOrLater<SendAnswer> {
  const { session: id, request, opening } = sent;
  if (opening === undefined) return sendStep(sent, signal);
  const session = open(id, request.test, opening);
  if (isLater(session)) return openLater(session, sent, signal);
  sessions.set(id, new HostedSession(session));
  return sendStep(sent, signal);
}

async function openLater(
  session: Promise<Session>,
  sent: SendRequest,
  signal: AbortSignal,
): Promise<SendAnswer> {
  sessions.set(sent.session, new HostedSession(await session));
  return sendStep(sent, signal);
}

function sendStep(
  { session: id, request, traceparent }: SendRequest,
  signal: AbortSignal,
): NowOrLater<SendAnswer> {
  const hosted = sessions.get(id)!;
  const { messages = request.input_messages } = request;
  const reply = runInTrace(traceparent, () => hosted.session.send({ ...request, messages }, signal));
  return isLater(reply) || traceparent !== undefined
    ? finishLater(hosted, reply, traceparent)
    : toAnswer(hosted, reply);
}

async function finishLater(
  hosted: HostedSession,
  reply: NowOrLater<RawReply>,
  traceparent: string | undefined,
): Promise<SendAnswer> {
  const raw = await reply;
  const isFlushed = traceparent === undefined ? undefined : await flushTelemetry();
  return { ...toAnswer(hosted, raw), isFlushed };
}

function toAnswer(
  hosted: HostedSession,
  { reply, printed, timeToFirstTokenMs, observed }: RawReply,
): SendAnswer {
  return {
    reply,
    output: printed,
    timeToFirstTokenMs,
    waitedMs: takeWaited(),
    observed: observed === NOTHING_SEEN ? null : observed,
    watched: hosted.toWatched(),
  };
}

function open(
  id: number,
  test: SendRequest['request']['test'],
  { isDecided, takesAllRequests, isOffline, harmless, allowedHosts }: SessionOpening,
): NowOrLater<Session> {
  if (allowedHosts !== undefined && !isBlocking) {
    isBlocking = true;
    blockConnections({
      allowed: allowedHosts,
      onBlocked: (blocked) => void link.ask({ blocked }).catch(() => {}),
    });
  }
  const options: OpenOptions = {
    takesAllRequests,
    isOffline,
    harmless: harmless && new Set(harmless),
    approve: async (approval) => (await link.ask({ session: id, approval })) as unknown as ApprovalAnswer,
    onLost: () => void link.ask({ session: id, isLost: true }).catch(() => {}),
    ...(isDecided === true && {
      beforeCall: async (modelCall, before) => {
        const watched = sessions.get(id)?.toWatched() ?? [];
        try {
          const decision = await link.ask({ session: id, modelCall, before, watched });
          return readDecision(decision as unknown as DecisionData, id);
        } catch (error) {
          return { do: 'refuse', kind: 'config', message: (error as Error).message };
        }
      },
    }),
  };
  return agent!.open(test, options);
}

/** The step gets the word that it is given up before this. */
async function look({ look: id }: LookRequest): Promise<object> {
  await new Promise((resolve) => runSoon(() => resolve(undefined)));
  const failure = sessions.get(id)?.failure;
  return failure === undefined ? {} : { error: failure };
}

function close({ session: id }: CloseNote): void {
  const hosted = sessions.get(id);
  sessions.delete(id);
  void hosted?.session.close();
}

async function end(): Promise<EndAnswer> {
  await agent?.close();
  return {
    lateCalls: takeLateCalls(),
    lateErrors: takeLateErrors().map((error) => inspect(error)),
    isQuiet:
      process.listenerCount('exit') === ownExitListeners &&
      !moduleLoadList.includes('NativeModule child_process') &&
      !hasNativeCode(),
  };
}

function readDecision(data: DecisionData, id: number): CallDecision {
  if (data.do === 'answer') return { ...data, answer: readAnswer(data.answer, id) };
  if (data.do !== 'forward') return data;
  const { request, watch, isChanged } = data;
  return {
    do: 'forward',
    request,
    ...(watch !== undefined && { watch: (call) => sessions.get(id)?.watch(watch, call) }),
    ...(isChanged && {
      respond: async (whole) =>
        readAnswer((await link.ask({ session: id, respond: watch, whole })) as unknown as AnswerData, id),
    }),
  };
}

function readAnswer({ body, ...answer }: AnswerData, session: number): ModelAnswer {
  return {
    ...answer,
    body:
      typeof body === 'number' ? pieces(session, body) : body.map((piece) => Buffer.from(piece, 'base64')),
  };
}

async function* pieces(session: number, piece: number): AsyncGenerator<Uint8Array> {
  for (;;) {
    const data = await link.ask({ session, piece });
    if (typeof data !== 'string') return;
    yield Buffer.from(data, 'base64');
  }
}

function failureOf(error: unknown, hosted: HostedSession | undefined): HostFailure {
  if (error instanceof AgentSetupError) return { kind: 'setup', message: error.message };
  const watched = hosted?.toWatched() ?? [];
  if (!(error instanceof AgentError))
    return { kind: 'agent', message: error instanceof Error ? error.message : String(error), watched };
  const { kind, message, printed: output, retryAfterMs, isRateLimit, refusedStatus, observed } = error;
  return { kind, message, output, retryAfterMs, isRateLimit, refusedStatus, observed, watched };
}
