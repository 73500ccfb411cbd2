import type { AssertionOutcome, Evidence } from '../../base/model/evidence.ts';
import type { RecordedToolCall, Reply } from '../../base/model/reply.ts';
import { totalTokens } from '../../base/model/usage.ts';
import { defineEvaluator } from '../contract/evaluator-kind.ts';
import { unsupportedFields } from '../../base/schema/foreign-fields.ts';
import { given, needsOneOf } from '../../base/schema/refine.ts';
import { knownCalls, unknownCalls } from '../made-calls.ts';
import { unmeasured } from '../unmeasured.ts';
import { withMisses } from '../with-misses.ts';
import {
  describeLimit,
  dollars,
  isKept,
  measuredLimits,
  milliseconds,
  modelCalls,
  tokens,
  toolCalls,
  usageProblem,
} from './limits.ts';
import { MOST_CALLS } from './wanted-trajectory.ts';

const needsALimit = needsOneOf([
  'max_tool_calls',
  'max_llm_calls',
  'max_tokens',
  'max_cost_usd',
  'max_duration_ms',
]);

export const executionMetrics = defineEvaluator({
  kind: 'execution_metrics',
  doc: 'The share of these limits that the reply meets.',
  fields: {
    max_tool_calls: { schema: toolCalls, doc: 'Tool calls.' },
    max_llm_calls: { schema: modelCalls, doc: 'Calls to a model.' },
    max_tokens: { schema: tokens, doc: 'Tokens in total.' },
    max_cost_usd: { schema: dollars, doc: 'US dollars.' },
    max_duration_ms: { schema: milliseconds, doc: 'A time: `2s`, `500ms`, or a number of milliseconds.' },
    ...unsupportedFields({
      target_exploration_ratio: 'limit the calls of a tool with `tool_trajectory` and `maximums`',
      exploration_tolerance: 'remove it',
    }),
  },
  check(authored, reader) {
    if (!given(authored, 'target_exploration_ratio')) needsALimit(authored, reader);
  },
  example: { max_tool_calls: 5, max_duration_ms: 5000 },
  reads: ({ max_tool_calls, max_duration_ms }) => [
    'usage',
    ...(max_duration_ms === undefined ? [] : (['duration'] as const)),
    ...(max_tool_calls === undefined ? [] : (['tools'] as const)),
  ],
  partialScore: (limits) => 1 - 1 / Object.keys(limits).length,
  evaluate: checkMetrics,
  oracle: ({ max_tool_calls, max_llm_calls }) => ({
    call_rule: max_tool_calls === undefined ? undefined : { most_in_all: max_tool_calls },
    unwanted: [
      ...(max_tool_calls === undefined ? [] : [{ calls: manyCalls(max_tool_calls + 1) }]),
      ...(max_llm_calls === undefined ? [] : [{ messages: max_llm_calls + 1 }]),
    ],
  }),
});

function checkMetrics(allowed: Readonly<Record<string, number>>, evidence: Evidence): AssertionOutcome {
  const limits = measuredLimits(allowed, measure(evidence));
  const unreported = limits.filter(({ measured }) => measured === undefined);
  if (unreported.length > 0) {
    if (unreported[0]!.name === 'max_tool_calls' && unreported.length === 1)
      return unmeasured(unknownCalls(evidence.reply));
    const wanted = unreported.map(({ name }) => `${SOURCES[name]} (for \`${name}\`)`).join(', ');
    return unmeasured(`the agent did not report ${wanted}`);
  }
  const problem = usageProblem(limits, evidence.reply);
  if (problem !== undefined) return unmeasured(problem);
  const kept = limits.filter(isKept);
  const misses = limits.filter((limit) => !isKept(limit)).map(describeLimit);
  return {
    score: kept.length / limits.length,
    message: withMisses(`${kept.length} of ${limits.length} limits were kept`, misses),
    expected: Object.fromEntries(limits.map(({ name, limit }) => [name, limit])),
    actual: Object.fromEntries(limits.map(({ name, measured }) => [name, measured!])),
    hits: kept.map(describeLimit),
    misses,
  };
}

function manyCalls(length: number): readonly RecordedToolCall[] {
  return Array.from({ length: Math.min(length, MOST_CALLS) }, () => ({ tool: 'another_tool' }));
}

/** What of the reply tells a metric. */
const SOURCES: Readonly<Record<string, string>> = {
  max_tool_calls: 'its tool calls',
  max_llm_calls: 'its messages',
  max_tokens: 'the tokens it used',
  max_cost_usd: 'what it cost',
  max_duration_ms: 'how long it took',
};

function measure({ reply, durationMs }: Evidence): Readonly<Record<string, number | undefined>> {
  return {
    max_tool_calls: knownCalls(reply)?.length,
    max_llm_calls: countModelCalls(reply),
    max_tokens: reply.token_usage === undefined ? undefined : totalTokens(reply.token_usage),
    max_cost_usd: reply.cost_usd,
    max_duration_ms: durationMs,
  };
}

/** As it was observed, else once for every message that the model wrote. */
function countModelCalls(reply: Reply): number | undefined {
  const { output_messages, model_calls, has_unreported_messages = false } = reply;
  if (model_calls !== undefined) return model_calls;
  return has_unreported_messages
    ? undefined
    : output_messages?.filter(({ role }) => role === 'assistant').length;
}
