import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { TimedCall } from '../../base/model/reply.ts';
import { addAll, addUsage } from '../../base/model/usage.ts';
import { textAt } from '../foreign-fields.ts';
import { recognise } from '../recognise.ts';
import type { Observation } from './observation.ts';
import { answerText, observedCalls } from './observed-calls.ts';
import type { Recording, RecordedTurn } from './recording.ts';

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
  const ownAnswer = root.kind === 'model' ? undefined : (root.output ?? undefined);
  const last = models.at(-1)?.output;
  const { calls, gap, isOpen } = observedCalls(sorted);
  const turn: RecordedTurn = {
    input: textOf(root.input ?? models[0]?.input, 'user'),
    output:
      ownAnswer !== undefined
        ? textOf(ownAnswer, 'assistant')
        : isOpen || last === undefined || last === null
          ? undefined
          : (answerText(last) ?? textOf(last, 'assistant')),
    line: root.line,
    tool_calls: calls,
    gap,
    token_usage: addUsage(models.map(({ usage }) => usage)),
    usage_complete: gap !== undefined || models.some(({ usage }) => usage === undefined) ? false : undefined,
    models: modelsOf(models),
    model_calls: models.length === 0 ? undefined : models.length,
    cost_usd: addAll(models.map(({ cost_usd }) => cost_usd)),
    start_ms: start,
    duration_ms: durationOf(root, sorted),
    timeline: start === undefined ? undefined : [...models, ...tools].flatMap((node) => timed(node, start)),
  };
  return {
    id,
    line: root.line,
    turns: [turn],
    failure: ownAnswer === undefined && (last ?? undefined) === undefined ? root.error : undefined,
    ...about,
  };
}

/** Of the root; where the calls have none above them, from the first to the last. */
function durationOf(root: Observation, nodes: readonly Observation[]): number | undefined {
  const start = root.start_ms;
  const ends = root.kind === 'other' ? [root.end_ms] : nodes.map(({ end_ms }) => end_ms);
  const end = ends.reduce((last, each) => Math.max(last ?? NaN, each ?? NaN));
  return start === undefined || end === undefined || Number.isNaN(end) ? undefined : Math.max(0, end - start);
}

function modelsOf(models: readonly Observation[]): readonly string[] | undefined {
  const names = [...new Set(models.flatMap(({ model }) => model ?? []))];
  return names.length === 0 ? undefined : names;
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
