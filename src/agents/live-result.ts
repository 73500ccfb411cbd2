import { OUTPUT_LIMIT_BYTES } from './processes/limits.ts';
import { monotonicMs } from '../base/system/system-time.ts';
import { AgentError } from './contract.ts';

/** A result that is still on its way when the function returns: a stream of any kind, or an HTTP response. */
export interface SettledResult {
  /** Text, a list of events, or a result. */
  readonly value: unknown;
  /** When its first part came. */
  readonly firstAt?: number | undefined;
}

export function isLive(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return isResponse(value) || isStreamedResult(value) || iteratorOf(value) !== undefined;
}

/** Reads it to the end. What it throws is thrown. */
export async function settleResult(value: object): Promise<SettledResult> {
  if (isResponse(value)) return readResponse(value);
  if (isStreamedResult(value)) return readStreamedResult(value);
  return collect(iteratorOf(value)!);
}

/** A `Response` of any realm and any implementation of fetch. */
interface AnyResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

function isResponse(value: object): value is AnyResponse {
  const { status, headers, text } = value as Partial<Record<keyof AnyResponse, unknown>>;
  return (
    typeof status === 'number' &&
    typeof text === 'function' &&
    typeof (headers as { get?: unknown } | undefined)?.get === 'function'
  );
}

async function readResponse(response: AnyResponse): Promise<SettledResult> {
  const { status, body } = response;
  const isReply = status >= 200 && status <= 299;
  const source = typeof body === 'object' && body !== null ? iteratorOf(body) : undefined;
  const { value, firstAt } =
    source === undefined
      ? { value: await response.text(), firstAt: undefined }
      : await collect(source, { isReply });
  if (isReply) return { value, firstAt };
  const kind = status === 429 || status >= 500 ? 'infrastructure' : 'agent';
  const start = String(value).trim().slice(0, 500);
  throw new AgentError(kind, `the agent returned a response with status ${status}: ${start}`);
}

/** `streamText` and its like: an object with streams, and with promises of what they come to. */
interface StreamedResult {
  readonly consumeStream?: (options: { onError: (error: unknown) => void }) => PromiseLike<void>;
  readonly completed?: PromiseLike<unknown>;
}

const STREAM_KEYS = ['fullStream', 'textStream'];

function isStreamedResult(value: object): value is StreamedResult {
  const { completed } = value as StreamedResult;
  const isRunResult = isPromise(completed) && 'newItems' in value;
  return isRunResult || (STREAM_KEYS.some((key) => key in value) && ('steps' in value || 'text' in value));
}

async function readStreamedResult(result: StreamedResult): Promise<SettledResult> {
  const { consumeStream, completed } = result;
  let firstAt: number | undefined;
  if (typeof consumeStream === 'function') {
    let failure: unknown;
    await consumeStream.call(result, { onError: (error) => (failure = error) });
    if (failure !== undefined) throw failure;
  } else if (isPromise(completed)) {
    const source = iteratorOf(result);
    if (source !== undefined) ({ firstAt } = await collect(source));
    await completed;
    return { value: result, firstAt };
  }
  const settled: Record<string, unknown> = {};
  for (const key of ['text', 'steps', 'totalUsage', 'usage', 'finishReason', 'response', 'responseMessages'])
    if (key in result) settled[key] = await (result as Record<string, unknown>)[key];
  return { value: settled, firstAt };
}

type AnyIterator = AsyncIterator<unknown> | Iterator<unknown>;

/** Of async iterables, web streams and generators; not of lists and maps, which are data. */
function iteratorOf(value: object): (() => AnyIterator) | undefined {
  const members = value as {
    [Symbol.asyncIterator]?: () => AsyncIterator<unknown>;
    [Symbol.iterator]?: () => Iterator<unknown>;
    next?: unknown;
    getReader?: () => { read(): Promise<IteratorResult<unknown>> };
  };
  if (typeof members[Symbol.asyncIterator] === 'function') return () => members[Symbol.asyncIterator]!();
  if (typeof members.getReader === 'function')
    return () => {
      const reader = members.getReader!();
      return { next: () => reader.read() };
    };
  const isGenerator = typeof members[Symbol.iterator] === 'function' && typeof members.next === 'function';
  return isGenerator ? () => members[Symbol.iterator]!() : undefined;
}

async function collect(open: () => AnyIterator, { isReply = true } = {}): Promise<SettledResult> {
  const iterator = open();
  const decoder = new TextDecoder('utf-8', { fatal: isReply });
  const items: unknown[] = [];
  let text = '';
  let size = 0;
  let firstAt: number | undefined;
  for (let step = await iterator.next(); step.done !== true; step = await iterator.next()) {
    firstAt ??= monotonicMs();
    const { value } = step;
    if (typeof value === 'string') text += value;
    else if (value instanceof Uint8Array) text += decode(decoder, value);
    else items.push(value);
    size = text.length + items.length;
    if (size > OUTPUT_LIMIT_BYTES)
      throw new AgentError(
        'limit',
        `the agent streamed more than ${OUTPUT_LIMIT_BYTES / 1024 / 1024} MB in one step`,
      );
  }
  text += decode(decoder);
  return { value: items.length === 0 ? text : items, firstAt };
}

/** Bytes of a stream; without bytes, its end. */
function decode(decoder: InstanceType<typeof TextDecoder>, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch (cause) {
    throw new AgentError('contract', 'what the agent streamed is not valid UTF-8\nwrite UTF-8', { cause });
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}
