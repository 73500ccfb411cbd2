import type {
  Doubt,
  EvidenceSource,
  EvidenceSources,
  RecordedToolCall,
  Reply,
  TokenUsage,
} from '../base/model/reply.ts';
import { listCalls } from '../base/model/list-calls.ts';
import { isSameTool } from '../base/match/same-tool.ts';
import { compareCalls, type ComparedCalls } from './compare-calls.ts';
import type { Trace, TraceProblem, TraceWarning, UnreadCall } from './trace.ts';

/** What the agent itself reported, in Assay's own fields. */
export type ReportedReply = Omit<Reply, 'output'> & { readonly output?: string | undefined };

export interface Sources {
  readonly reported: ReportedReply;
  /** The reply, where it is what a framework returns. */
  readonly recognised?: Trace | undefined;
  /** The model calls that passed through Assay. */
  readonly observed?: Trace | undefined;
  /** What its telemetry tells. */
  readonly spans?: Trace | undefined;
}

export interface MergedReply {
  /** Without an output there is no reply. */
  readonly reply: ReportedReply;
  readonly warnings: readonly TraceWarning[];
}

/** One reply of all sources: what the agent reports stands, field by field, and the others fill in what it leaves out. */
export function mergeSources({ reported, recognised, observed, spans }: Sources): MergedReply {
  const seen = observed !== undefined && hasSeen(observed) ? observed : undefined;
  // Who returns the last response of a model keeps nothing back: it tells of that one alone.
  const isOutdone = (seen ?? spans) !== undefined && recognised?.is_last_response === true;
  const byReply: [EvidenceSource, Trace | undefined] = ['recognised', recognised];
  const byCalls: [EvidenceSource, Trace | undefined][] = [
    ['observed', seen],
    ['spans', spans],
  ];
  const sources = isOutdone ? [...byCalls, byReply] : [byReply, ...byCalls];
  const calls = mergeCalls(reported, sources);
  const usage = pickUsage(reported, sources);
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
      model_calls: seen?.model_calls ?? recognised?.model_calls ?? spans?.model_calls,
      time_to_first_token_ms:
        reported.time_to_first_token_ms ?? seen?.time_to_first_token_ms ?? spans?.time_to_first_token_ms,
      timeline: nonEmpty(seen?.timeline) ?? nonEmpty(spans?.timeline),
      evidence,
      doubts: nonEmpty(usage.doubts),
      harmless: nonEmpty(observed?.harmless),
    },
    warnings: [
      ...usage.warnings,
      ...(evidence.output === 'recognised' && recognised?.is_cut === true ? [cutAnswer(recognised)] : []),
      ...(recognised?.warnings ?? []),
      ...(seen?.warnings ?? []),
      ...(spans?.warnings ?? []),
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

interface PickedUsage extends Picked<TokenUsage> {
  readonly doubts: readonly Doubt[];
  readonly warnings: readonly TraceWarning[];
}

/** What the agent reports, unless more was observed. Of a framework's result and what was observed, the larger: sub-agents count too. */
function pickUsage(
  { token_usage: reported }: ReportedReply,
  sources: readonly [EvidenceSource, Trace | undefined][],
): PickedUsage {
  const picked = pickSource(reported, sources, ({ token_usage }) => token_usage);
  const [seenBy, other] =
    sources.find(([each, trace]) => isWitness(each) && trace?.token_usage !== undefined) ?? [];
  const seen = other?.token_usage;
  const { value, source } = picked;
  const isSeen = source === undefined || isWitness(source);
  if (seen === undefined || value === undefined || isSeen || counted(seen) <= counted(value))
    return { ...picked, doubts: [], warnings: [] };
  const what = seenBy === 'spans' ? 'the telemetry shows' : 'the observed model calls used';
  const message = `the ${source === 'reported' ? 'agent reports' : 'result of the framework has'} ${tokens(value)}, and ${what} ${tokens(seen)}`;
  const warning = { code: 'usage_disagrees', message, hint: USAGE_HINT };
  return source === 'reported'
    ? {
        ...picked,
        doubts: [{ about: 'tokens', message: `${message}\n${USAGE_HINT}` }],
        warnings: [warning],
      }
    : { value: seen, source: seenBy, trace: other, doubts: [], warnings: [warning] };
}

/** Sources that show what the agent did, whatever it says of itself. */
function isWitness(source: EvidenceSource): boolean {
  return source === 'observed' || source === 'spans';
}

const USAGE_HINT = 'let the agent report the tokens of all its model calls, or none at all';

/** Reports may leave out what was read from a cache. */
function counted({ input, output }: TokenUsage): number {
  return input + output;
}

function tokens({ input, output }: TokenUsage): string {
  return `${input} input and ${output} output tokens`;
}

interface MergedCalls {
  readonly source?: EvidenceSource | undefined;
  readonly reply: Pick<
    Reply,
    'tools_used' | 'tool_calls' | 'trace_gap' | 'unreported_calls' | 'observed_calls'
  >;
  readonly warnings: readonly TraceWarning[];
}

function mergeCalls(
  reported: ReportedReply,
  sources: readonly [EvidenceSource, Trace | undefined][],
): MergedCalls {
  const { tools_used, tool_calls, trace_gap } = reported;
  if (sources.some(([, trace]) => trace?.is_unattributed === true))
    return { reply: { tools_used, tool_calls, trace_gap: { kind: 'unattributed' } }, warnings: [] };
  const told = trace_gap === undefined ? (tool_calls ?? tools_used?.map((tool) => ({ tool }))) : undefined;
  const observed = sources.find(([source]) => source === 'observed')?.[1];
  // A report cannot be confirmed by what broke off: an agent that hides a call may also hide it there.
  if (observed?.gap !== undefined && trace_gap?.kind !== 'contradictory')
    return incomplete(told ?? observed.tool_calls, observed.gap);
  const spans = sources.find(([source]) => source === 'spans')?.[1];
  // What was waited for and did not come: the agent's own report cannot be confirmed by it either.
  if (spans?.gap !== undefined && observed?.tool_calls === undefined && trace_gap?.kind !== 'contradictory')
    return incomplete(told ?? sources.find(([, each]) => each?.tool_calls)?.[1]?.tool_calls, spans.gap);
  const known: (readonly [EvidenceSource, readonly RecordedToolCall[]])[] =
    told === undefined ? [] : [['reported', told]];
  // Two parts of a report that disagree stay a problem of the report.
  const isFillable = trace_gap?.kind !== 'contradictory';
  for (const [source, trace] of isFillable || told !== undefined ? sources : [])
    if (trace?.tool_calls !== undefined && trace.gap === undefined && !isOutdoneBy(trace, sources))
      known.push([source, isWitness(source) ? underOneName(trace.tool_calls, sources) : trace.tool_calls]);
  const [best, ...others] = known;
  const unread = observed?.unread?.find((call) => !isKnown(call, best?.[1]));
  const hidden = hiddenCalls(best?.[0], { unread, observed, sources });
  if (hidden !== undefined && trace_gap?.at === undefined) return incomplete(best?.[1], hidden);
  if (best === undefined)
    return { reply: { tools_used, tool_calls, trace_gap: gapOf(reported, sources) }, warnings: [] };
  const [source] = best;
  let [, calls] = best;
  let unreported: readonly RecordedToolCall[] = [];
  let seen: readonly RecordedToolCall[] | undefined;
  const warnings: TraceWarning[] = unread === undefined ? [] : [unreadWarning(unread)];
  for (const [other, otherCalls] of others) {
    const compared = compareCalls(calls, otherCalls);
    const unseen = isWitness(source) ? [] : compared.unseen;
    if (compared.unreported.length + unseen.length + compared.differing.length > 0)
      warnings.push(disagreement([source, calls], [other, otherCalls]));
    if (source === 'reported' && isWitness(other))
      seen ??= contradiction(calls, compared, observed?.offered_tools ?? []);
    calls = compared.calls;
    if (compared.unreported.length > unreported.length) unreported = compared.unreported;
  }
  return {
    source,
    reply: {
      tools_used: source === 'reported' && tools_used !== undefined ? tools_used : namesOf(calls),
      tool_calls: calls,
      trace_gap: undefined,
      unreported_calls: nonEmpty(unreported),
      observed_calls: seen,
    },
    warnings,
  };
}

/** Some calls are known, others may be missing. */
function incomplete(calls: readonly RecordedToolCall[] | undefined, gap: TraceProblem): MergedCalls {
  return {
    reply: {
      tools_used: calls === undefined ? undefined : namesOf(calls),
      tool_calls: calls,
      trace_gap: { kind: 'incomplete', ...gap },
    },
    warnings: [],
  };
}

/** A tool of an MCP server that the model requested is among the calls already. */
function isKnown({ tool }: UnreadCall, calls: readonly RecordedToolCall[] = []): boolean {
  return tool !== undefined && calls.some((call) => isSameTool(call.tool, tool));
}

interface SeenWork {
  readonly unread: UnreadCall | undefined;
  readonly observed: Trace | undefined;
  readonly sources: readonly [EvidenceSource, Trace | undefined][];
}

/** Why there may be calls that the best source does not tell of. What the agent reports itself stands. */
function hiddenCalls(
  best: EvidenceSource | undefined,
  { unread, observed, sources }: SeenWork,
): TraceProblem | undefined {
  const isReported = best === 'reported' || best === 'spans';
  const recognised = sources.find(([source]) => source === 'recognised')?.[1];
  if (best === 'recognised' && recognised?.is_last_response === true) return LAST_RESPONSE;
  if (unread !== undefined && !isReported && best !== 'recognised') return unreadGap(unread);
  return best === 'observed' ? observed?.hidden?.[0] : undefined;
}

const LAST_RESPONSE: TraceProblem = {
  at: 'the reply',
  form: 'it is one response of a model, which does not show the calls before it',
};

/**
 * The calls as they were observed, if the report contradicts them: by other arguments, or by a tool that was offered to the model,
 * which never requested it. A tool that was never offered was called by the agent's own code: its report stands.
 */
function contradiction(
  reported: readonly RecordedToolCall[],
  { pairs, differing, unreported }: ComparedCalls,
  offered: readonly string[],
): readonly RecordedToolCall[] | undefined {
  const made = reported.flatMap((call, index) => {
    const isMadeUp = pairs[index] === undefined && offered.some((name) => isSameTool(name, call.tool));
    return isMadeUp ? [] : [pairs[index] ?? call];
  });
  const isContradicted = differing.length > 0 || made.length < reported.length;
  return isContradicted ? [...made, ...unreported] : undefined;
}

function cutAnswer({ gap }: Trace): TraceWarning {
  return {
    code: 'answer_cut',
    message: `the answer may be a part of what the agent had to say: ${gap === undefined ? 'it ended early' : `${gap.at}: ${gap.form}`}`,
    hint: 'claims about what it does not say cannot be confirmed',
  };
}

function unreadGap({ at, tool }: UnreadCall): TraceProblem {
  return {
    at,
    form:
      tool === undefined
        ? 'a call of a model through an API that Assay cannot read'
        : 'a call that no observed model requested',
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
    message: `the tool calls that were ${one} and those that were ${other} differ: ${listCalls(oneCalls)} against ${listCalls(otherCalls)}`,
    hint: 'let the agent report every call that it makes, or none at all',
  };
}

function namesOf(calls: readonly RecordedToolCall[]): readonly string[] {
  return calls.map(({ tool }) => tool);
}

function nonEmpty<T>(items: readonly T[] | undefined): readonly T[] | undefined {
  return items === undefined || items.length === 0 ? undefined : items;
}
