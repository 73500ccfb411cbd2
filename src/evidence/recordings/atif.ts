import { isJsonList, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { AskedCall, Entry, ResultEntry } from '../entry.ts';
import {
  numberAt,
  objectAt,
  readArguments,
  readOutput,
  textAt,
  timeAt,
  valueAt,
  objectsAt,
} from '../foreign-fields.ts';
import { countAt, inclusiveUsage } from '../provider-usage.ts';
import { withFacts } from './chat.ts';
import { Conversation } from './conversation.ts';
import type { ReaderContext, Recording, RecordingFormat } from './recording.ts';

/** A trajectory in the Agent Trajectory Interchange Format, 1.x. A status of a tool that is not given is unknown, not ok. */
export const ATIF: RecordingFormat = {
  name: 'atif',
  title: 'an ATIF trajectory',
  recognises: ([first]) =>
    first !== undefined && (textAt(first, 'schema_version') ?? '').startsWith('ATIF-v1.'),
  link: ([first = {}]) => ({ key: textAt(first, 'trajectory_id', 'session_id') }),
  open: (context) => ({ add: (value, line) => [readTrajectory(value, line, context)], end: () => [] }),
};

function readTrajectory(value: JsonObject, line: number, context: ReaderContext): Recording {
  const conversation = new Conversation();
  const agent = objectAt(value, 'agent');
  const model = textAt(agent, 'model_name');
  const subs = objectsAt(value, 'subagent_trajectories');
  for (const sub of subs) addSub(conversation, sub);
  for (const [index, step] of objectsAt(value, 'steps').entries()) {
    const at_ms = timeAt(step, 'timestamp');
    conversation.add(entriesOf(step, index, model), { line, at_ms });
    if (textAt(step, 'source') !== 'agent') continue;
    const metrics = objectAt(step, 'metrics');
    const modelCalls = numberAt(step, 'llm_call_count') ?? (metrics === undefined ? undefined : 1);
    if (modelCalls !== undefined)
      conversation.tell({ cost_usd: metrics && numberAt(metrics, 'cost_usd'), modelCalls });
  }
  const next = ownValue(value, 'continued_trajectory_ref');
  if (next !== undefined && next !== null)
    context.report({
      code: 'unknown_part',
      message: 'the trajectory continues in another file, which is imported as its own recording',
      line,
    });
  const extra = objectAt(value, 'extra');
  const scores = extra && objectAt(extra, 'scores');
  return {
    id: textAt(value, 'session_id', 'trajectory_id') ?? context.name,
    target: textAt(agent, 'name') ?? 'atif',
    line,
    repeat: extra && numberAt(extra, 'repeat'),
    turns: withFacts(conversation.finish(), objectsAt(extra, 'turns')),
    scores,
    metadata: {
      agent_version: textAt(agent, 'version') ?? null,
      ...(subs.length === 0 ? {} : { subagents: subs.length }),
    },
  };
}

function addSub(conversation: Conversation, sub: JsonObject): void {
  const about = objectAt(sub, 'agent');
  const agent = textAt(about, 'name') ?? 'sub-agent';
  const steps = objectsAt(sub, 'steps');
  const entries = steps.flatMap((step, index) => entriesOf(step, index, textAt(about, 'model_name')));
  conversation.addSub({ agent, entries, usages: [], start_ms: steps[0] && timeAt(steps[0], 'timestamp') });
  for (const deeper of objectsAt(sub, 'subagent_trajectories')) addSub(conversation, deeper);
}

function entriesOf(step: JsonObject, index: number, model: string | undefined): readonly Entry[] {
  const text = textOf(ownValue(step, 'message'));
  switch (textAt(step, 'source')) {
    case 'system':
      return [{ kind: 'system', text: text ?? '' }];
    case 'user':
      return [{ kind: 'user', text: text ?? '' }];
    case 'agent': {
      const metrics = objectAt(step, 'metrics');
      return [
        {
          kind: 'assistant',
          text,
          model: textAt(step, 'model_name') ?? model,
          calls: objectsAt(step, 'tool_calls').map((call) => callOf(call, timeAt(step, 'timestamp'))),
          usage:
            metrics &&
            inclusiveUsage({
              prompt: countAt(metrics, 'prompt_tokens'),
              cached: countAt(metrics, 'cached_tokens'),
              output: countAt(metrics, 'completion_tokens'),
            }),
        },
        ...objectsAt(objectAt(step, 'observation'), 'results').map(resultOf),
      ];
    }
    default:
      return [
        {
          kind: 'unknown',
          at: `steps[${index}]`,
          form: `source: ${textAt(step, 'source')}`,
          mayHoldCall: true,
        },
      ];
  }
}

function callOf(call: JsonObject, asked_ms: number | undefined): AskedCall {
  return {
    tool: textAt(call, 'function_name') ?? '',
    id: textAt(call, 'tool_call_id'),
    input: readArguments(valueAt(call, 'arguments')),
    asked_ms,
  };
}

function resultOf(result: JsonObject): ResultEntry {
  const extra = objectAt(result, 'extra') ?? {};
  const isError = ['isError', 'is_error']
    .map((name) => ownValue(extra, name))
    .find((flag) => typeof flag === 'boolean');
  const content = ownValue(result, 'content');
  return {
    kind: 'result',
    id: textAt(result, 'source_call_id'),
    output: readOutput(textOf(content) ?? content),
    ...(isError === undefined ? {} : { status: isError === true ? 'error' : 'ok' }),
    duration_ms: numberAt(extra, 'duration_ms'),
  };
}

/** Text, or parts of which some are text. */
function textOf(message: Json | undefined): string | undefined {
  if (typeof message === 'string') return message;
  const parts = isJsonList(message) ? message : [];
  const texts = parts.flatMap((part) => textAt(part, 'text') ?? []);
  return texts.length === 0 ? undefined : texts.join('');
}
