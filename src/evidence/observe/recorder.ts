import { AsyncLocalStorage } from 'node:async_hooks';
import { isOwnRequest } from '../../base/system/own-requests.ts';
import { Observation, UNATTRIBUTED, type StepScope } from './observation.ts';
import { noteLateCall } from './late-calls.ts';
import { forgetClosed, watchConnections } from './watch-connections.ts';
import { lookForDispatchers } from './watch-dispatchers.ts';
import { watchFetch } from './watch-fetch.ts';
import { lookForHttp, watchHttp } from './watch-http.ts';
import { watchHttp2 } from './watch-http2.ts';
import { lookForPrograms, watchStarted } from './watch-started.ts';
import { watchUndici } from './watch-undici.ts';

/*
 * Sees the model calls that agents make in this process. There is one recorder, for there is one `fetch`.
 *
 * `AsyncLocalStorage` tells whose a call is, also for an agent that runs alone: it may call a model after its reply, when the next
 * attempt is under way. This makes a fast agent about a tenth slower (100,000 tests of a function on Node 20).
 */

/** Attempts that are under way. */
const running = new Set<Observation>();
/** How many agents run on although nobody waits for them. */
let strays = 0;
/** Whose code runs: an attempt's, or nobody's who is watched. */
let contexts: AsyncLocalStorage<StepScope | Unwatched> | undefined;
let users = 0;
let stops: (() => void)[] = [];

/**
 * Begins to watch, until the function that is returned is called. To be called before the code of agents is loaded: SDKs keep the
 * `fetch` that they find then. It goes on working, and sees the calls of whichever attempt makes them.
 */
export function watchProcess(): () => void {
  if (users++ === 0) {
    const isAgents = (): boolean => contexts?.getStore() !== undefined && !isOwnRequest();
    stops = [
      watchConnections(isAgents, watchSessions),
      watchHttp(whose),
      watchUndici(whose),
      watchStarted(agentAtWork),
    ];
  }
  if (hasSessions) watchSessions();
  lookForFetch();
  let isHeld = true;
  return () => {
    if (isHeld && --users === 0) stops.forEach((stop) => stop());
    isHeld = false;
  };
}

/** Code that belongs to no attempt, as long as it is not over. */
class Unwatched {
  isOver = false;
}

const NEVER_WATCHED = new Unwatched();

/** Code of an agent called a model while it was loaded: nobody knows for which of the attempts that come. */
let hasCalledWhileLoading = false;

/** Calls an agent that nobody may watch, also when others are watched at the same time. */
export function runUnwatched<T>(call: () => T): T {
  if (users === 0) return call();
  contexts ??= new AsyncLocalStorage();
  return contexts.run(NEVER_WATCHED, call);
}

/** Loads the code of an agent. What it does meanwhile belongs to no attempt; what it left behind may work for those that come. */
export async function loadUnwatched<T>(load: () => Promise<T>): Promise<T> {
  contexts ??= new AsyncLocalStorage();
  const loading = new Unwatched();
  try {
    return await contexts.run(loading, load);
  } finally {
    loading.isOver = true;
  }
}

/** Sessions of HTTP/2 outlive what was watched when they began. */
let hasSessions = false;
let unwatchSessions: (() => void) | undefined;

function watchSessions(): void {
  if (unwatchSessions !== undefined) return;
  hasSessions = true;
  unwatchSessions = watchHttp2(whose);
  stops.push(() => {
    unwatchSessions?.();
    unwatchSessions = undefined;
  });
}

/** The code of an agent may have replaced it. */
function lookForFetch(): void {
  const unwatchFetch = watchFetch(whose);
  if (unwatchFetch !== undefined) stops.push(unwatchFetch);
}

export function beginAttempt(observation: Observation): void {
  if (running.size === 0) forgetClosed();
  if (hasCalledWhileLoading) observation.isAfterCalls = true;
  lookForFetch();
  lookForHttp();
  lookForPrograms();
  if (observation.beforeCall !== undefined) lookForDispatchers(whose);
  running.add(observation);
}

export function endAttempt(observation: Observation): void {
  running.delete(observation);
}

/** Calls an agent so that what it does later can be told apart from what others do. */
export function runInContext<T>(scope: StepScope, call: () => T): T {
  contexts ??= new AsyncLocalStorage();
  return contexts.run(scope, call);
}

/** The attempt whose code runs right now, also after its end. Undefined: nobody's who is watched, or nobody knows. */
export function contextNow(): Observation | undefined {
  return scopeNow()?.observation;
}

/** The step whose code runs right now, also after its end. */
export function stepNow(): number | undefined {
  return scopeNow()?.step;
}

function scopeNow(): StepScope | undefined {
  const store = contexts?.getStore();
  return store === undefined || store instanceof Unwatched ? undefined : store;
}

/** Whether what happens right now is the doing of an agent that may not reach other machines. */
export function isOffline(): boolean {
  return contextNow()?.isOffline === true;
}

/** An agent runs on although nobody waits for it. The function that is returned tells that it has ended. */
export function leaveStray(): () => void {
  strays++;
  let isOut = true;
  return () => {
    if (isOut) strays--;
    isOut = false;
  };
}

/** The attempt whose agent is at work right now, where that is certain. */
function agentAtWork(): Observation | undefined {
  const observation = contextNow();
  return observation !== undefined && running.has(observation) ? observation : undefined;
}

const NOBODY = new Observation({
  isOffline: true,
  takesAllRequests: true,
  beforeCall: () => UNATTRIBUTED,
});

/** Whose a request is that is made right now. Undefined: nobody's who is watched. */
function whose(isModelCall: boolean): Observation | undefined {
  if (isOwnRequest()) return undefined;
  const store = contexts?.getStore();
  if (store instanceof Unwatched && !store.isOver) {
    hasCalledWhileLoading ||= isModelCall && store !== NEVER_WATCHED;
    return undefined;
  }
  const context = contextNow();
  // An attempt that has ended keeps its context: what it still does is nobody's, but it may not do everything.
  if (context !== undefined && running.has(context)) return context;
  if (context !== undefined) return whoseLate(context, isModelCall);
  if (running.size === 1 && strays === 0) return running.values().next().value;
  if (isModelCall)
    for (const observation of running) {
      observation.doubt();
      observation.lose();
    }
  return [...running].some((observation) => observation.isOffline) ? NOBODY : undefined;
}

/**
 * An agent makes a request after its attempt has ended. It may do so for those that run now, as a queue does that it began; one that
 * was cut short only goes on.
 */
function whoseLate(context: Observation, isModelCall: boolean): Observation | undefined {
  if (context.isRefusing || context.isOffline) {
    if (isModelCall && !context.isRefusing && !context.isAbandoned) for (const each of running) each.lose();
    return context;
  }
  if (!isModelCall || context.isAbandoned) return undefined;
  noteLateCall();
  const late = new Observation();
  for (const each of running) {
    each.lose();
    each.suspect(late);
  }
  return late;
}
