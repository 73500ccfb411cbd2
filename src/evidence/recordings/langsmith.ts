import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { objectAt, readArguments, readOutput, textAt, valueAt } from '../foreign-fields.ts';
import { countAt, inclusiveUsage } from '../provider-usage.ts';
import type { Observation } from './observation.ts';
import { recordingOfTrace } from './observations.ts';
import type { RecordingFormat } from './recording.ts';

/** Runs of LangSmith, as its SDK and its bulk export write them. A trace is several runs. */
export const LANGSMITH: RecordingFormat = {
  name: 'langsmith',
  title: 'LangSmith runs',
  recognises: ([first]) =>
    first !== undefined && 'run_type' in first && ('trace_id' in first || 'dotted_order' in first),
  open() {
    const traces = new Map<
      string,
      { readonly nodes: Map<string, Observation>; scores: JsonObject | undefined }
    >();
    return {
      add(value, line) {
        const node = nodeOf(value, line);
        const id = textAt(value, 'trace_id') ?? node.id;
        const trace = traces.get(id) ?? { nodes: new Map<string, Observation>(), scores: undefined };
        traces.set(id, trace);
        // A run that is written again replaces the earlier one.
        trace.nodes.set(node.id, node);
        trace.scores ??= objectAt(value, 'feedback_stats');
      },
      end: () =>
        [...traces].map(([id, { nodes, scores }]) =>
          recordingOfTrace(id, [...nodes.values()], {
            target: [...nodes.values()].find(({ parent }) => parent === undefined)?.name ?? 'langsmith',
            scores,
          }),
        ),
    };
  },
};

function nodeOf(run: JsonObject, line: number): Observation {
  const type = textAt(run, 'run_type');
  const extra = objectAt(objectAt(run, 'extra'), 'metadata');
  const outputs = jsonAt(run, 'outputs');
  const usage = objectAt(outputs, 'usage_metadata') ?? objectAt(run, 'usage_metadata') ?? run;
  const isTool = type === 'tool';
  const inputs = jsonAt(run, 'inputs');
  return {
    id: textAt(run, 'id') ?? `line ${line}`,
    parent: textAt(run, 'parent_run_id'),
    kind: type === 'llm' ? 'model' : isTool ? 'tool' : 'other',
    name: textAt(run, 'name') ?? type ?? '',
    input: isTool ? readArguments(onlyAt(inputs, 'input')) : inputs,
    output: isTool ? readOutput(onlyAt(outputs, 'output')) : outputs,
    model: textAt(extra, 'ls_model_name'),
    usage: inclusiveUsage({
      prompt: countAt(usage, 'input_tokens', 'prompt_tokens'),
      cached: countAt(objectAt(usage, 'input_token_details'), 'cache_read'),
      output: countAt(usage, 'output_tokens', 'completion_tokens'),
      reasoning: countAt(objectAt(usage, 'output_token_details'), 'reasoning'),
    }),
    start_ms: timeOf(run, 'start_time'),
    end_ms: timeOf(run, 'end_time'),
    error: textAt(run, 'error'),
    line,
  };
}

/** Bulk exports write objects as text. */
function jsonAt(run: JsonObject, name: string): Json | undefined {
  return readOutput(valueAt(run, name));
}

/** The only field of an object that has no other. */
function onlyAt(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) && Object.keys(value).length === 1 ? (ownValue(value, name) ?? value) : value;
}

/** Times without a zone are UTC. */
export function timeOf(of: Json | undefined, name: string): number | undefined {
  const text = textAt(of, name);
  if (text === undefined) return undefined;
  const time = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? undefined : time;
}
