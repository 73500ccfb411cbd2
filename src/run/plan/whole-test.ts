import type { Evidence } from '../../base/model/evidence.ts';
import type { Message } from '../../base/model/message.ts';
import type { Reply, TraceGap } from '../../base/model/reply.ts';
import { addAll, addUsage } from '../../base/model/usage.ts';

/** The evidence of several steps as one, for assertions about the whole test. */
export function combineEvidence(steps: readonly Evidence[]): Evidence {
  const first = steps[0]!;
  const last = steps.at(-1)!;
  return {
    test: first.test,
    threshold: first.threshold,
    file: first.file,
    input_messages: steps.flatMap((step) => step.input_messages),
    expected_messages: steps.flatMap((step) => step.expected_messages),
    reply: combineReplies(steps.map((step) => step.reply)),
    memoryBefore: first.memoryBefore,
    memoryAfter: last.memoryAfter,
    durationMs: addAll(steps.map((step) => step.durationMs)),
  };
}

/** What one reply does not say is unknown for the whole: a sum of the others would be wrong. */
function combineReplies(all: readonly Reply[]): Reply {
  // What the agent did before it waited is in the step in which it went on.
  const replies = all.filter(({ unfinished }) => unfinished !== 'waiting');
  return {
    output: replies.at(-1)!.output,
    tools_used: concatenate(replies.map((reply) => reply.tools_used)),
    tool_calls: concatenate(replies.map((reply) => reply.tool_calls)),
    trace_gap: firstGap(replies),
    memory: replies.at(-1)!.memory,
    output_messages: replies.flatMap(messagesOf),
    has_unreported_messages: replies.some(({ output_messages }) => output_messages === undefined),
    token_usage: addUsage(replies.map((reply) => reply.token_usage)),
    cost_usd: addAll(replies.map((reply) => reply.cost_usd)),
    usage_complete: replies.some(({ usage_complete }) => usage_complete === false) ? false : undefined,
    duration_ms: addAll(replies.map((reply) => reply.duration_ms)),
    unreported_calls: allUnreported(replies),
    observed_calls: allObserved(replies),
    doubts: someOf(replies.flatMap(({ doubts = [] }) => doubts)),
    model_calls: addAll(replies.map((reply) => reply.model_calls)),
    approvals_asked: concatenate(all.map((reply) => reply.approvals_asked)),
    unfinished: replies.at(-1)!.unfinished,
  };
}

function allUnreported(replies: readonly Reply[]): Reply['unreported_calls'] {
  return someOf(replies.flatMap(({ unreported_calls = [] }) => unreported_calls));
}

/** If they differ from the report in one step. */
function allObserved(replies: readonly Reply[]): Reply['observed_calls'] {
  return replies.some(({ observed_calls }) => observed_calls !== undefined)
    ? replies.flatMap(
        ({ observed_calls, tool_calls = [], unreported_calls = [] }) =>
          observed_calls ?? [...tool_calls, ...unreported_calls],
      )
    : undefined;
}

function someOf<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** The one that says most: which step it is of matters less than what to do about it. */
function firstGap(replies: readonly Reply[]): TraceGap | undefined {
  const gaps = replies.flatMap(({ trace_gap: gap }) => (gap === undefined ? [] : [gap]));
  return gaps.find(({ at }) => at !== undefined) ?? gaps[0];
}

/** What the agent said, in its own messages or in its output alone. */
function messagesOf({ output_messages, output }: Reply): readonly Message[] {
  return output_messages ?? [{ role: 'assistant', content: output }];
}

function concatenate<T>(lists: readonly (readonly T[] | undefined)[]): readonly T[] | undefined {
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}
