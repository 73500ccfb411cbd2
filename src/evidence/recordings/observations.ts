import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { RecordedToolCall, TimedCall, TokenUsage } from '../../base/model/reply.ts';
import { addAll, addUsage } from '../../base/model/usage.ts';
import { textAt } from '../foreign-fields.ts';
import { recognise } from '../recognise.ts';
import type { Recording, RecordedTurn } from './recording.ts';

/** One node of a trace as a platform exports it. */
export interface Observation {
  readonly id: string;
  readonly parent?: string | undefined;
  readonly kind: 'model' | 'tool' | 'other';
  readonly name: string;
  readonly input?: Json | undefined;
  readonly output?: Json | undefined;
  readonly model?: string | undefined;
  readonly usage?: TokenUsage | undefined;
  readonly cost_usd?: number | undefined;
  readonly start_ms?: number | undefined;
  readonly end_ms?: number | undefined;
  readonly error?: string | undefined;
  readonly callId?: string | undefined;
  readonly line: number;
}

/** A trace of such nodes is one turn: what its root was asked and gave, and the calls below. */
export function recordingOfTrace(
  id: string,
  nodes: readonly Observation[],
  about: Pick<Recording, 'target' | 'scores' | 'metadata'>,
): Recording {
  const known = new Set(nodes.map((node) => node.id));
  const sorted = nodes.toSorted((a, b) => (a.start_ms ?? 0) - (b.start_ms ?? 0));
  // A trace may have no root, several, or nothing but a cycle.
  const root = sorted.find(({ parent }) => parent === undefined || !known.has(parent)) ?? sorted[0]!;
  const models = sorted.filter(({ kind }) => kind === 'model');
  const tools = sorted.filter(({ kind }) => kind === 'tool');
  const start = root.start_ms;
  const answer = root.output ?? models.at(-1)?.output;
  const turn: RecordedTurn = {
    input: textOf(root.input ?? models[0]?.input, 'user'),
    output: textOf(answer, 'assistant'),
    line: root.line,
    tool_calls: tools.map(toCall),
    token_usage: addUsage(models.map(({ usage }) => usage)),
    usage_complete: models.some(({ usage }) => usage === undefined) ? false : undefined,
    models: modelsOf(models),
    model_calls: models.length,
    cost_usd: addAll(models.map(({ cost_usd }) => cost_usd)),
    start_ms: start,
    duration_ms:
      start === undefined || root.end_ms === undefined ? undefined : Math.max(0, root.end_ms - start),
    timeline: start === undefined ? undefined : [...models, ...tools].flatMap((node) => timed(node, start)),
  };
  return {
    id,
    line: root.line,
    turns: [turn],
    failure: answer === undefined ? root.error : undefined,
    ...about,
  };
}

function modelsOf(models: readonly Observation[]): readonly string[] | undefined {
  const names = [...new Set(models.flatMap(({ model }) => model ?? []))];
  return names.length === 0 ? undefined : names;
}

function toCall({ name, callId, input, output, error, start_ms, end_ms }: Observation): RecordedToolCall {
  return {
    tool: name,
    ...(callId === undefined ? {} : { id: callId }),
    ...(input === undefined ? {} : { input }),
    ...(output === undefined && error === undefined ? {} : { output: output ?? error! }),
    ...(error === undefined ? {} : { status: 'error' }),
    ...(start_ms === undefined || end_ms === undefined
      ? {}
      : { duration_ms: Math.max(0, end_ms - start_ms) }),
  };
}

function timed(
  { kind, name, model, start_ms, end_ms, error, usage }: Observation,
  start: number,
): readonly TimedCall[] {
  // Clocks of several machines may differ.
  if (start_ms === undefined || start_ms < start) return [];
  return [
    {
      kind: kind === 'tool' ? 'tool' : 'model',
      name: model ?? name,
      start_ms: start_ms - start,
      ...(end_ms === undefined ? {} : { duration_ms: Math.max(0, end_ms - start_ms) }),
      ...(error === undefined ? {} : { failed: true as const }),
      ...(usage === undefined ? {} : { token_usage: usage }),
    },
  ];
}

/** What a person or a model said, in whatever wrapping. */
function textOf(value: Json | undefined, role: 'user' | 'assistant'): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (role === 'assistant') {
    const trace = recognise(value, { input: '' });
    if (trace?.output !== undefined) return trace.output;
  }
  const messages = isJsonList(value) ? value : isJsonObject(value) ? ownValue(value, 'messages') : undefined;
  if (isJsonList(messages)) {
    const last = messages
      .flat()
      .findLast((message): message is JsonObject => isJsonObject(message) && isSaidBy(message, role));
    if (last !== undefined) return textOf(ownValue(last, 'content') ?? ownValue(last, 'text') ?? '', role);
  }
  if (isJsonObject(value)) {
    const texts = ['input', 'question', 'query', 'prompt', 'output', 'answer', 'text', 'content'];
    const key = texts.find((name) => textAt(value, name) !== undefined);
    if (key !== undefined) return textAt(value, key)!;
  }
  return printJson(value);
}

function isSaidBy(message: JsonObject, role: 'user' | 'assistant'): boolean {
  const said = textAt(message, 'role', 'type') ?? '';
  return role === 'user' ? said === 'user' || said === 'human' : said === 'assistant' || said === 'ai';
}
