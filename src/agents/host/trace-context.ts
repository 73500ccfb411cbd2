/*
 * The trace that an agent's spans belong to, for an agent that has loaded `@opentelemetry/api`. Nothing of it is loaded here: its parts
 * are found where it keeps them for all of its copies.
 */

interface Api {
  readonly context?: { with<T>(context: Context, run: () => T): T };
  readonly trace?: Provider;
}

interface Provider {
  getDelegate?(): Provider;
  forceFlush?(): Promise<void>;
}

interface Context {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): Context;
  deleteValue(key: symbol): Context;
}

const API = Symbol.for('opentelemetry.js.api.1');
const LOGS = Symbol.for('io.opentelemetry.js.api.logs');
const SPAN = Symbol.for('OpenTelemetry Context Key SPAN');

/** Runs code of the agent below the span of a `traceparent`. */
export function runInTrace<T>(traceparent: string | undefined, run: () => T): T {
  const { context } = (globalThis as { readonly [API]?: Api })[API] ?? {};
  if (traceparent === undefined || context === undefined) return run();
  const [, traceId, spanId] = traceparent.split('-');
  const parent = { traceId, spanId, traceFlags: 1, isRemote: true };
  return context.with(contextOf(new Map([[SPAN, remoteSpan(parent)]])), run);
}

function contextOf(values: ReadonlyMap<symbol, unknown>): Context {
  return {
    getValue: (key) => values.get(key),
    setValue: (key, value) => contextOf(new Map([...values, [key, value]])),
    deleteValue: (key) => contextOf(new Map([...values].filter(([other]) => other !== key))),
  };
}

/** A span that only has a place: what is written to it is ignored. */
function remoteSpan(place: object): object {
  const span: Record<string, unknown> = { spanContext: () => place, isRecording: () => false, end: () => {} };
  for (const name of [
    'setAttribute',
    'setAttributes',
    'addEvent',
    'addLink',
    'addLinks',
    'setStatus',
    'updateName',
  ])
    span[name] = () => span;
  span['recordException'] = () => {};
  return span;
}

/** Has the agent send what it has not sent. True: the spans of its tracer provider have arrived. */
export async function flushTelemetry(): Promise<boolean> {
  const globals = globalThis as { readonly [API]?: Api; readonly [LOGS]?: (version: number) => Provider };
  const spans = globals[API]?.trace;
  const [isFlushed] = await Promise.all([flush(spans), flush(globals[LOGS]?.(1))]);
  return isFlushed;
}

async function flush(provider: Provider | undefined): Promise<boolean> {
  const own = provider?.getDelegate?.() ?? provider;
  if (own?.forceFlush === undefined) return false;
  try {
    await own.forceFlush();
    return true;
  } catch {
    // It says so itself, and what did not come is missing here.
    return false;
  }
}
