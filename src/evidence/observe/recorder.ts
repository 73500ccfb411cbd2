import { AsyncLocalStorage } from 'node:async_hooks';
import { isOwnRequest } from '../../own-requests.ts';
import { Observation, UNATTRIBUTED } from './observation.ts';
import { watchFetch } from './watch-fetch.ts';
import { lookForHttp, watchHttp } from './watch-http.ts';
import { watchUndici } from './watch-undici.ts';

/*
 * Sees the model calls that agents make in this process. There is one recorder, for there is one `fetch`.
 *
 * An agent that runs alone needs no bookkeeping: every call is its own. Otherwise `AsyncLocalStorage` tells whose a call is. It
 * makes every promise of the process slower, so it is used only where several attempts run at once.
 */

/** Attempts that are under way. */
const running = new Set<Observation>();
/** How many agents run on although nobody waits for them, outside of any context. */
let strays = 0;
let contexts: AsyncLocalStorage<Observation> | undefined;
let users = 0;
let unwatch: (() => void) | undefined;

/** Begins to watch, until the function that is returned is called. To be called before the code of agents is loaded. */
export function watchProcess(): () => void {
  if (users++ === 0 && unwatch === undefined) {
    const stops = [watchFetch(whose), watchHttp(whose), watchUndici(whose)];
    unwatch = () => stops.forEach((stop) => stop());
  }
  let isHeld = true;
  return () => {
    if (isHeld && --users === 0) {
      unwatch?.();
      unwatch = undefined;
    }
    isHeld = false;
  };
}

export function beginAttempt(observation: Observation): void {
  lookForHttp();
  running.add(observation);
}

export function endAttempt(observation: Observation): void {
  running.delete(observation);
}

/** Whether the agent can be called as it is, because every call of this process would be its own. */
export function isOnlyAttempt(observation: Observation): boolean {
  return strays === 0 && running.size === 1 && running.has(observation);
}

/** Calls an agent so that what it does later can be told apart from what others do. */
export function runInContext<T>(observation: Observation, call: () => T): T {
  contexts ??= new AsyncLocalStorage();
  return contexts.run(observation, call);
}

/** Whether what happens right now is the doing of an agent that may not reach other machines. */
export function isOffline(): boolean {
  return contexts?.getStore()?.isOffline === true;
}

/** An agent that was called without a context runs on. The function that is returned tells that it has ended. */
export function leaveStray(): () => void {
  strays++;
  let isOut = true;
  return () => {
    if (isOut) strays--;
    isOut = false;
  };
}

const NOBODY = new Observation({
  isOffline: true,
  takesAllRequests: true,
  beforeCall: () => UNATTRIBUTED,
});

/** Whose a request is that is made right now. Undefined: nobody's who is watched. */
function whose(isModelCall: boolean): Observation | undefined {
  if (isOwnRequest()) return undefined;
  const context = contexts?.getStore();
  // An attempt that has ended keeps its context: what it still does is nobody's, but it may not do everything.
  if (context !== undefined && running.has(context)) return context;
  if (context !== undefined) {
    // It may do something for those that run now, as a queue does that it began. One that was cut short only goes on.
    const isOver = !context.isRefusing && !context.isAbandoned;
    if (isModelCall && isOver) for (const observation of running) observation.lose();
    return context.isRefusing || context.isOffline ? context : undefined;
  }
  if (running.size === 1 && strays === 0) return running.values().next().value;
  if (isModelCall)
    for (const observation of running) {
      observation.doubt();
      observation.lose();
    }
  return [...running].some((observation) => observation.isOffline) ? NOBODY : undefined;
}
