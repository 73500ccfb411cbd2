import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { listAt, numberAt, objectAt, textAt, valueAt, objectsAt } from '../foreign-fields.ts';
import type { Trace } from '../trace.ts';
import { withEarlyEnd, withFailure } from '../unfinished-trace.ts';
import type { Dialect } from './dialect.ts';

/**
 * Tasks and messages of the Agent2Agent protocol, versions 1.0 and 0.3: alone, as the response of JSON-RPC, and as the events of a
 * stream. The protocol tells nothing of tools and tokens.
 */
export const A2A_REPLY: Dialect = {
  name: 'an A2A task or message',
  recognises: (value) => itemsIn(value) !== undefined,
  read: (value) => readItems(itemsIn(value)!, isJsonList(value)),
};

type Item =
  | { readonly kind: 'task' | 'message' | 'status' | 'artifact'; readonly value: JsonObject }
  | { readonly kind: 'error'; readonly text: string };

function itemsIn(value: Json): readonly Item[] | undefined {
  if (!isJsonList(value)) {
    const item = itemOf(value);
    return item === undefined ? undefined : [item];
  }
  const items = value.map(itemOf);
  return items.length > 0 && items.every((item) => item !== undefined) ? items : undefined;
}

function itemOf(value: Json): Item | undefined {
  if (!isJsonObject(value)) return undefined;
  if (textAt(value, 'jsonrpc') === '2.0') {
    const error = objectAt(value, 'error');
    if (error === undefined) return itemOf(ownValue(value, 'result') ?? null);
    const code = numberAt(error, 'code');
    const message = textAt(error, 'message') ?? 'an error';
    return { kind: 'error', text: code === undefined ? message : `${message} (${code})` };
  }
  const payload = objectAt(value, 'payload');
  if (payload !== undefined && '$case' in payload)
    return wrapped(textAt(payload, '$case') ?? '', payload['value'] ?? null);
  const [key, ...others] = Object.keys(value);
  if (key !== undefined && others.length === 0) return wrapped(key, value[key]!);
  if (isTask(value)) return { kind: 'task', value };
  if (isMessage(value)) return { kind: 'message', value };
  const kind = textAt(value, 'kind');
  if (kind === 'status-update' && objectAt(value, 'status') !== undefined) return { kind: 'status', value };
  return kind === 'artifact-update' && objectAt(value, 'artifact') !== undefined
    ? { kind: 'artifact', value }
    : undefined;
}

/** `{task}`, `{message}`, `{statusUpdate}` and `{artifactUpdate}` of version 1.0. */
function wrapped(key: string, value: Json): Item | undefined {
  if (!isJsonObject(value)) return undefined;
  if (key === 'task' && isTask(value)) return { kind: 'task', value };
  if (key === 'message' && isMessage(value)) return { kind: 'message', value };
  const isUpdate = 'taskId' in value;
  if (key === 'statusUpdate' && isUpdate) return { kind: 'status', value };
  return key === 'artifactUpdate' && isUpdate ? { kind: 'artifact', value } : undefined;
}

function isTask(value: JsonObject): boolean {
  const state = objectAt(value, 'status')?.['state'];
  return 'id' in value && 'contextId' in value && (typeof state === 'string' || typeof state === 'number');
}

function isMessage(value: JsonObject): boolean {
  return textAt(value, 'messageId') !== undefined && listAt(value, 'parts') !== undefined && 'role' in value;
}

/** In the order of the numbers that they have in memory. */
const STATES = [
  'unspecified',
  'submitted',
  'working',
  'completed',
  'failed',
  'canceled',
  'input-required',
  'rejected',
  'auth-required',
];

/** `TASK_STATE_COMPLETED`, `completed` or 3. */
function stateOf(status: JsonObject): string {
  const state = status['state'];
  if (typeof state === 'number') return STATES[state] ?? 'unspecified';
  return String(state).replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
}

function readItems(items: readonly Item[], isStream: boolean): Trace {
  const artifacts = new Map<string, string>();
  let state: string | undefined;
  let said: string | undefined;
  let error: string | undefined;
  for (const item of items) {
    if (item.kind === 'error') {
      error = item.text;
      continue;
    }
    const { kind, value } = item;
    if (kind === 'message') {
      said = textOf(value);
      state ??= 'completed';
    }
    const status = objectAt(value, 'status');
    if (status !== undefined) {
      state = stateOf(status);
      const message = objectAt(status, 'message');
      if (message !== undefined) said = textOf(message);
    }
    if (kind === 'artifact') {
      const artifact = objectAt(value, 'artifact') ?? {};
      const id = textAt(artifact, 'artifactId') ?? '';
      artifacts.set(id, (value['append'] === true ? (artifacts.get(id) ?? '') : '') + textOf(artifact));
    }
    if (kind === 'task') {
      for (const artifact of objectsAt(value, 'artifacts'))
        artifacts.set(textAt(artifact, 'artifactId') ?? '', textOf(artifact));
      said ??= textOf(objectsAt(value, 'history').findLast(isFromAgent) ?? {}) || undefined;
    }
  }
  const made = [...artifacts.values()].filter((text) => text !== '').join('\n');
  const trace: Trace = { output: (state === 'completed' && made !== '' ? made : said) ?? made };
  if (error !== undefined) return withFailure({ ...trace, output: undefined }, error);
  if (FAILED.has(state ?? ''))
    return withFailure({ ...trace, output: undefined }, said ?? `the task is ${state}`);
  if (ENDED.has(state ?? '')) return trace;
  const form = isStream ? 'it ended early' : `the task is ${state}`;
  const cut = withEarlyEnd(trace, { at: isStream ? 'the stream' : 'the task', form });
  return (trace.output ?? '') === ''
    ? withFailure(cut, `the task is ${state}: Assay does not wait for its end`)
    : cut;
}

const FAILED: ReadonlySet<string> = new Set(['failed', 'rejected', 'canceled']);
const ENDED: ReadonlySet<string> = new Set(['completed', 'input-required', 'auth-required']);

function isFromAgent(message: JsonObject): boolean {
  return ['agent', 'ROLE_AGENT', 2].includes(message['role'] as string);
}

/** Of a message or an artifact. Data is its JSON. */
function textOf(holder: JsonObject): string {
  return objectsAt(holder, 'parts')
    .flatMap((part) => {
      const content = objectAt(part, 'content');
      const isMemory = content !== undefined && '$case' in content;
      const text = isMemory && content['$case'] === 'text' ? textAt(content, 'value') : textAt(part, 'text');
      if (text !== undefined) return text;
      const data =
        isMemory && content['$case'] === 'data' ? valueAt(content, 'value') : valueAt(part, 'data');
      return data === undefined ? [] : printJson(data);
    })
    .join('');
}
