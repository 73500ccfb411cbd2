import type { EvidenceSource, EvidenceSources, RecordedToolCall, Reply } from '../model/reply.ts';
import { printJson } from '../model/print-json.ts';
import { compareCalls } from './compare-calls.ts';
import type { Trace, TraceProblem, TraceWarning } from './trace.ts';
import type { UnreadCall } from './wire/unread-model-call.ts';

/** What the agent itself reported, in Assay's own fields. */
export type ReportedReply = Omit<Reply, 'output'> & { readonly output?: string | undefined };

export interface Sources {
  readonly reported: ReportedReply;
  /** The reply, where it is what a framework returns. */
  readonly recognised?: Trace | undefined;
  /** The model calls that passed through Assay. */
  readonly observed?: Trace | undefined;
}

export interface MergedReply {
  /** Without an output there is no reply. */
  readonly reply: ReportedReply;
  readonly warnings: readonly TraceWarning[];
}

/** One reply of all sources: what the agent reports stands, field by field, and the others fill in what it leaves out. */
export function mergeSources({ reported, recognised, observed }: Sources): MergedReply {
  const seen = observed !== undefined && hasSeen(observed) ? observed : undefined;
  // Who returns the last response of a model keeps nothing back: it tells of that one alone.
  const isOutdone = seen !== undefined && recognised?.is_last_response === true;
  const byReply: [EvidenceSource, Trace | undefined] = ['recognised', recognised];
  const byCalls: [EvidenceSource, Trace | undefined] = ['observed', seen];
  const sources = isOutdone ? [byCalls, byReply] : [byReply, byCalls];
  const calls = mergeCalls(reported, sources);
  const usage = pickSource(reported.token_usage, sources, ({ token_usage }) => token_usage);
  const cost = pickSource(reported.cost_usd, sources, ({ cost_usd }) => cost_usd);
  const messages = pickSource(reported.output_messages, sources, (trace) => trace.messages);
  const output = reported.output ?? recognised?.output;
  const evidence: EvidenceSources = {
    output: output === undefined ? undefined : reported.output === undefined ? 'recognised' : 'reported',
    tool_calls: calls.source,
    output_messages: messages.source,
    token_usage: usage.source,
    cost_usd: cost.source,
  };
  const isComplete = usage.trace?.usage_complete !== false;
  return {
    reply: {
      ...reported,
      output,
      ...calls.reply,
      output_messages: messages.value,
      token_usage: usage.value,
      usage_complete: isComplete ? undefined : false,
      cost_usd: cost.value,
      // A framework's own figure leaves out what comes before and behind it: Assay's is the better one.
      duration_ms: reported.duration_ms,
      models: reported.models ?? pickSource(undefined, sources, ({ models }) => nonEmpty(models)).value,
      model_calls: seen?.model_calls ?? recognised?.model_calls,
      time_to_first_token_ms: reported.time_to_first_token_ms ?? seen?.time_to_first_token_ms,
      timeline: nonEmpty(seen?.timeline),
      evidence,
    },
    warnings: [
      ...(evidence.output === 'recognised' && recognised?.is_cut === true ? [cutAnswer(recognised)] : []),
      ...(recognised?.warnings ?? []),
      ...(seen?.warnings ?? []),
      ...calls.warnings,
    ],
  };
}

function hasSeen({ model_calls = 0, gap, is_unattributed, unread = [] }: Trace): boolean {
  return model_calls > 0 || gap !== undefined || is_unattributed === true || unread.length > 0;
}

interface Picked<T> {
  readonly value?: T | undefined;
  readonly source?: EvidenceSource | undefined;
  readonly trace?: Trace | undefined;
}

function pickSource<T>(
  reported: T | undefined,
  sources: readonly [EvidenceSource, Trace | undefined][],
  read: (trace: Trace) => T | undefined,
): Picked<T> {
  if (reported !== undefined) return { value: reported, source: 'reported' };
  for (const [source, trace] of sources) {
    const value = trace === undefined ? undefined : read(trace);
    if (value !== undefined) return { value, source, trace };
  }
  return {};
}

interface MergedCalls {
  readonly source?: EvidenceSource | undefined;
  readonly reply: Pick<Reply, 'tools_used' | 'tool_calls' | 'trace_gap' | 'unreported_calls'>;
  readonly warnings: readonly TraceWarning[];
}

function mergeCalls(
  reported: ReportedReply,
  sources: readonly [EvidenceSource, Trace | undefined][],
): MergedCalls {
  const { tools_used, tool_calls, trace_gap } = reported;
  if (sources.some(([, trace]) => trace?.is_unattributed === true))
    return { reply: { tools_used, tool_calls, trace_gap: { kind: 'unattributed' } }, warnings: [] };
  // A report cannot be confirmed by what broke off: an agent that hides a call may also hide it there.
  const broken = sources.find(([source, trace]) => source === 'observed' && trace?.gap !== undefined)?.[1]
    ?.gap;
  if (broken !== undefined && trace_gap?.kind !== 'contradictory')
    return { reply: { tools_used, tool_calls, trace_gap: { kind: 'incomplete', ...broken } }, warnings: [] };
  const told = trace_gap === undefined ? (tool_calls ?? tools_used?.map((tool) => ({ tool }))) : undefined;
  const known: (readonly [EvidenceSource, readonly RecordedToolCall[]])[] =
    told === undefined ? [] : [['reported', told]];
  // Two parts of a report that disagree stay a problem of the report.
  const isFillable = trace_gap?.kind !== 'contradictory';
  for (const [source, trace] of isFillable || told !== undefined ? sources : [])
    if (trace?.tool_calls !== undefined && trace.gap === undefined && !isOutdoneBy(trace, sources))
      known.push([
        source,
        source === 'observed' ? underOneName(trace.tool_calls, sources) : trace.tool_calls,
      ]);
  const [best, ...others] = known;
  const unread = sources.flatMap(([, trace]) => trace?.unread ?? []).find((call) => call.mayHoldCalls);
  const isOnlySeen = best === undefined || best[0] === 'observed';
  if (unread !== undefined && isOnlySeen && trace_gap?.at === undefined)
    return {
      reply: {
        tools_used,
        tool_calls,
        trace_gap: { kind: 'incomplete', ...unreadGap(unread) },
      },
      warnings: [],
    };
  if (best === undefined)
    return { reply: { tools_used, tool_calls, trace_gap: gapOf(reported, sources) }, warnings: [] };
  const [source] = best;
  let [, calls] = best;
  let unreported: readonly RecordedToolCall[] = [];
  const warnings: TraceWarning[] = unread === undefined ? [] : [unreadWarning(unread)];
  for (const [other, otherCalls] of others) {
    const compared = compareCalls(calls, otherCalls);
    const unseen = source === 'observed' ? 0 : compared.unseen.length;
    if (compared.unreported.length + unseen + compared.differing.length > 0)
      warnings.push(disagreement([source, calls], [other, otherCalls]));
    calls = compared.calls;
    if (compared.unreported.length > unreported.length) unreported = compared.unreported;
  }
  return {
    source,
    reply: {
      tools_used: source === 'reported' && tools_used !== undefined ? tools_used : namesOf(calls),
      tool_calls: calls,
      trace_gap: undefined,
      unreported_calls: unreported.length === 0 ? undefined : unreported,
    },
    warnings,
  };
}

function cutAnswer({ gap }: Trace): TraceWarning {
  return {
    code: 'answer_cut',
    message: `the answer may be a part of what the agent had to say: ${gap === undefined ? 'it ended early' : `${gap.at}: ${gap.form}`}`,
    hint: 'claims about what it does not say cannot be confirmed',
  };
}

function unreadGap({ at }: UnreadCall): TraceProblem {
  return {
    at,
    form: 'a call of a model through an API that Assay cannot read',
  };
}

function unreadWarning({ at }: UnreadCall): TraceWarning {
  return {
    code: 'unread_model_api',
    message: `the agent called a model through an API that Assay cannot read (${at}), so only its own report tells which tools it called`,
    hint: 'claims that a tool was not called cannot be confirmed',
  };
}

/** No call in the last response is no sign that there was none before it. */
function isOutdoneBy(trace: Trace, sources: readonly [EvidenceSource, Trace | undefined][]): boolean {
  return trace.is_last_response === true && trace !== sources[0]?.[1] && trace.tool_calls?.length === 0;
}

/** Calls under the names that the other source has for them. Their arguments are not comparable then. */
function underOneName(
  calls: readonly RecordedToolCall[],
  sources: readonly [EvidenceSource, Trace | undefined][],
): readonly RecordedToolCall[] {
  const aliases = sources.find(([, trace]) => trace?.tool_aliases !== undefined)?.[1]?.tool_aliases;
  if (aliases === undefined) return calls;
  return calls.map((call) => {
    if (!Object.hasOwn(aliases, call.tool) && !Object.values(aliases).includes(call.tool)) return call;
    const { input: _, ...others } = call;
    return { ...others, tool: aliases[call.tool] ?? call.tool };
  });
}

/** A source that ended early or could not be read says more than one that is missing. */
function gapOf(
  { trace_gap }: ReportedReply,
  sources: readonly [EvidenceSource, Trace | undefined][],
): Reply['trace_gap'] {
  const trace = sources.find(([, each]) => each?.gap !== undefined)?.[1];
  if (trace?.gap === undefined || trace_gap?.at !== undefined) return trace_gap;
  return { kind: 'incomplete', ...trace.gap };
}

function disagreement(
  [one, oneCalls]: readonly [EvidenceSource, readonly RecordedToolCall[]],
  [other, otherCalls]: readonly [EvidenceSource, readonly RecordedToolCall[]],
): TraceWarning {
  return {
    code: 'calls_disagree',
    message: `the tool calls that were ${one} and those that were ${other} differ: ${list(oneCalls)} against ${list(otherCalls)}`,
    hint: 'let the agent report every call that it makes, or none at all',
  };
}

function list(calls: readonly RecordedToolCall[]): string {
  if (calls.length === 0) return 'none';
  const shown = calls.slice(0, 20).map(printCall).join(', ');
  return calls.length > 20 ? `${shown} and ${calls.length - 20} more` : shown;
}

function printCall({ tool, input }: RecordedToolCall): string {
  if (input === undefined) return tool;
  const text = printJson(input);
  return `${tool}(${text.length > 80 ? `${text.slice(0, 79)}…` : text})`;
}

function namesOf(calls: readonly RecordedToolCall[]): readonly string[] {
  return calls.map(({ tool }) => tool);
}

function nonEmpty<T>(items: readonly T[] | undefined): readonly T[] | undefined {
  return items === undefined || items.length === 0 ? undefined : items;
}
