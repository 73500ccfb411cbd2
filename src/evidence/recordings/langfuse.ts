import { isJsonObject, ownValue, type JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import {
  numberAt,
  objectAt,
  readArguments,
  readOutput,
  textAt,
  valueAt,
  objectsAt,
} from '../foreign-fields.ts';
import { countAt, toUsage } from '../provider-usage.ts';
import { timeOf } from './langsmith.ts';
import type { Observation } from './observation.ts';
import { recordingOfTrace } from './observations.ts';
import type { RecordingFormat } from './recording.ts';

/** Exports of Langfuse: traces with their observations, or observations alone, of version 3 and 4. */
export const LANGFUSE: RecordingFormat = {
  name: 'langfuse',
  title: 'a Langfuse export',
  recognises: ([first]) =>
    first !== undefined && (isObservation(first) || objectsAt(first, 'observations').some(isObservation)),
  open() {
    const traces = new Map<string, { about: JsonObject; readonly nodes: Map<string, Observation> }>();
    const put = (id: string, about: JsonObject | undefined, nodes: readonly Observation[]): void => {
      const trace = traces.get(id) ?? { about: {}, nodes: new Map<string, Observation>() };
      trace.about = about ?? trace.about;
      for (const node of nodes) if (!trace.nodes.has(node.id)) trace.nodes.set(node.id, node);
      traces.set(id, trace);
    };
    return {
      add(value, line) {
        const observations = objectsAt(value, 'observations');
        if (observations.length > 0)
          put(textAt(value, 'id') ?? `line ${line}`, value, [
            traceNode(value, line),
            ...observations.map((each) => nodeOf(each, line)),
          ]);
        else put(textAt(value, 'traceId', 'trace_id') ?? `line ${line}`, undefined, [nodeOf(value, line)]);
      },
      end: () =>
        [...traces].map(([id, { about, nodes }]) =>
          recordingOfTrace(id, [...nodes.values()], {
            target: textAt(about, 'name') ?? nodes.values().next().value!.name,
            scores: scoresOf(about),
          }),
        ),
    };
  },
};

function isObservation(value: JsonObject): boolean {
  return (
    textAt(value, 'traceId', 'trace_id') !== undefined &&
    ['GENERATION', 'SPAN', 'EVENT', 'TOOL', 'AGENT', 'CHAIN'].includes(textAt(value, 'type') ?? '')
  );
}

/** The trace itself has the question and the answer. */
function traceNode(trace: JsonObject, line: number): Observation {
  return {
    id: `trace ${textAt(trace, 'id') ?? line}`,
    kind: 'other',
    name: textAt(trace, 'name') ?? '',
    input: valueAt(trace, 'input'),
    output: valueAt(trace, 'output'),
    start_ms: timeOf(trace, 'timestamp'),
    line,
  };
}

function nodeOf(value: JsonObject, line: number): Observation {
  const type = textAt(value, 'type');
  const isTool = type === 'TOOL';
  const input = valueAt(value, 'input');
  const output = valueAt(value, 'output');
  const failed = textAt(value, 'level') === 'ERROR';
  return {
    id: textAt(value, 'id') ?? `line ${line}`,
    parent: textAt(value, 'parentObservationId', 'parent_observation_id'),
    kind: type === 'GENERATION' ? 'model' : isTool ? 'tool' : 'other',
    name: textAt(value, 'name') ?? '',
    input: isTool ? readArguments(input) : input,
    output: isTool ? readOutput(output) : output,
    model: textAt(value, 'model', 'providedModelName', 'provided_model_name'),
    usage: usageOf(objectAt(value, 'usageDetails', 'usage_details', 'usage')),
    cost_usd:
      numberAt(objectAt(value, 'costDetails', 'cost_details'), 'total') ??
      numberAt(value, 'calculatedTotalCost', 'totalCost', 'total_cost'),
    start_ms: timeOf(value, 'startTime') ?? timeOf(value, 'start_time'),
    end_ms: timeOf(value, 'endTime') ?? timeOf(value, 'end_time'),
    error: failed ? (textAt(value, 'statusMessage', 'status_message') ?? 'an error') : undefined,
    line,
  };
}

/** The kinds of tokens do not overlap. */
function usageOf(usage: JsonObject | undefined): TokenUsage | undefined {
  const input = countAt(usage, 'input', 'promptTokens');
  const output = countAt(usage, 'output', 'completionTokens');
  if (input === undefined || output === undefined) return undefined;
  const reasoning = countAt(usage, 'output_reasoning_tokens', 'output_reasoning');
  return toUsage({
    input: input + (countAt(usage, 'cache_creation_input_tokens', 'input_cache_creation') ?? 0),
    output: output + (reasoning ?? 0),
    cached: countAt(usage, 'cache_read_input_tokens', 'input_cached_tokens', 'input_cache_read'),
    reasoning,
  });
}

function scoresOf(about: JsonObject): JsonObject | undefined {
  const scores = objectsAt(about, 'scores').filter(isJsonObject);
  if (scores.length === 0) return undefined;
  return Object.fromEntries(
    scores.map((score) => [textAt(score, 'name') ?? 'score', ownValue(score, 'value') ?? null]),
  );
}
