import { mergeSources, type MergedReply, type ReportedReply } from '../merge-sources.ts';
import { recognise, type RecognisedTrace } from '../recognise.ts';
import { withServerNames } from '../mcp-names.ts';
import type { Trace } from '../trace.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Doubt, EvidenceSources, Reply } from '../../base/model/reply.ts';
import { addAll } from '../../base/model/usage.ts';
import type { CostOf, RawReply } from './raw-reply.ts';
import { needsForeignParts, readForeignParts } from './foreign-parts.ts';
import { REPLY_FIELDS } from './reply-fields.ts';
import { readReply } from './read-reply.ts';
import { MISSING } from './read-trace.ts';
import type { ReplyWarning } from './reply-warning.ts';

export interface ReadOptions {
  /** What the agent was asked in this step. */
  readonly input: string;
  /** What the model calls of this step show, given what the agent answered. Undefined: none was seen. */
  readonly observe?: ((output: string | undefined) => Trace | undefined) | undefined;
  readonly costOf?: CostOf | undefined;
}

export type ReadEvidence =
  | { readonly reply: Reply; readonly warnings: readonly ReplyWarning[] }
  /** The reply breaks the contract. */
  | { readonly problem: string }
  /** The agent itself says that it failed. */
  | { readonly failure: string };

/** What is known of a step from all sources: the agent's own report, its framework's result, and what was observed. */
export function readEvidence(answer: RawReply, options: ReadOptions): ReadEvidence {
  const read = readSources(answer, options);
  const { timeToFirstTokenMs, unmapped } = answer;
  if (!('reply' in read) || (timeToFirstTokenMs === undefined && unmapped === undefined)) return read;
  const { reply, warnings } = read;
  const isHidden = unmapped !== undefined && reply.trace_gap === undefined && reply.tools_used?.length === 0;
  return {
    warnings,
    reply: {
      ...reply,
      ...(timeToFirstTokenMs === undefined ? {} : { time_to_first_token_ms: Math.round(timeToFirstTokenMs) }),
      ...(isHidden ? { trace_gap: { kind: 'unreadable', ...unmapped } } : {}),
    },
  };
}

/** What is known of a step that was not answered: its model calls were made and paid for all the same. */
export function readUnanswered(observed: Trace, costOf: CostOf | undefined): Omit<Reply, 'output'> {
  const { reply } = mergeSources({ reported: { trace_gap: MISSING }, observed });
  return withCost(withCallCosts(reply, costOf), { reported: reply, observed }, costOf);
}

function readSources(answer: RawReply, options: ReadOptions): ReadEvidence {
  const { reply: value, recorded } = answer;
  const recognised = recorded === undefined ? recogniseReply(value, options) : undefined;
  if (recognised === undefined) {
    const read = readReply(value, answer.unreported);
    if (recorded !== undefined)
      return 'problem' in read ? read : { reply: { ...read.reply, ...recorded }, warnings: [] };
    const foreign = needsForeignParts(read) ? readForeignParts(value, answer.unreported) : undefined;
    if ('problem' in read && foreign === undefined) return read;
    const reported = foreign?.reported ?? (read as { readonly reply: Reply }).reply;
    const observed = options.observe?.(reported.output ?? foreign?.trace.output);
    const { spans } = answer;
    if ((observed ?? foreign ?? reported.models ?? spans) === undefined)
      return { reply: withSources(reported as Reply), warnings: [] };
    return complete({ reported, recognised: foreign?.trace, observed, spans }, options);
  }
  if (recognised.failure !== undefined && recognised.output === undefined)
    return { failure: recognised.failure };
  const reported = ownFields(value as Json);
  if (reported.output === undefined && recognised.output === undefined)
    return { problem: `the agent returned ${recognised.dialect} that contains no answer` };
  const observed = options.observe?.(reported.output ?? recognised.output);
  const { model, mcpServers = [], spans } = answer;
  const named = (trace: Trace): Trace => withServerNames(trace, mcpServers);
  return complete(
    {
      reported,
      recognised: named(recognised),
      observed: observed && named(observed),
      spans: spans && named(spans),
      model,
    },
    options,
  );
}

function recogniseReply(value: Json | undefined, { input }: ReadOptions): RecognisedTrace | undefined {
  if (typeof value !== 'object' || value === null || isOwnReply(value)) return undefined;
  return recognise(value, { input });
}

/** An answer with fields of our own and no others: frameworks return more than that. */
function isOwnReply(value: Json): boolean {
  if (!isJsonObject(value) || typeof value['output'] !== 'string') return false;
  for (const key in value) if (!OWN_KEYS.has(key)) return false;
  return true;
}

const OWN_KEYS: ReadonlySet<string> = new Set(REPLY_FIELDS);

interface Known {
  readonly reported: ReportedReply;
  readonly recognised?: Trace | undefined;
  readonly observed?: Trace | undefined;
  readonly spans?: Trace | undefined;
  readonly model?: string | undefined;
}

function complete(known: Known, { costOf }: ReadOptions): ReadEvidence {
  const { reply: merged, warnings } = mergeSources(known);
  const { models = known.model === undefined ? undefined : [known.model] } = merged;
  const reply = withCost(withCallCosts({ ...merged, models }, costOf), known, costOf) as Reply;
  const doubt = costDoubt(known, costOf);
  if (doubt === undefined) return { reply, warnings };
  const [message, hint] = doubt.message.split('\n') as [string, string];
  return {
    reply: { ...reply, doubts: [...(reply.doubts ?? []), doubt] },
    warnings: [...warnings, { code: 'cost_disagrees', message, hint }],
  };
}

/** A report that nothing was paid for calls that have a price. Any other cost may be right: prices differ. */
function costDoubt({ reported, observed, spans }: Known, costOf: CostOf | undefined): Doubt | undefined {
  if (reported.cost_usd !== 0 || costOf === undefined) return undefined;
  const seen = observed?.usage_by_model ?? spans?.usage_by_model ?? {};
  const cost = priceOf(seen, costOf);
  if (cost === undefined || cost === 0) return undefined;
  return {
    about: 'cost',
    message: `the agent reports that it cost nothing, and the observed model calls cost $${cost} by the price table\nlet the agent report what its model calls cost, or leave \`cost_usd\` out`,
  };
}

/** What each model call cost, where the price table knows its model. */
function withCallCosts(reply: MergedReply['reply'], costOf: CostOf | undefined): MergedReply['reply'] {
  if (reply.timeline === undefined || costOf === undefined) return reply;
  const timeline = reply.timeline.map((call) => {
    const cost_usd = call.token_usage === undefined ? undefined : costOf(call.name, call.token_usage);
    return cost_usd === undefined ? call : { ...call, cost_usd };
  });
  return { ...reply, timeline };
}

/** The cost from the price table, when nobody told one and every model is known. */
function withCost(
  reply: MergedReply['reply'],
  { recognised, observed, spans }: Known,
  costOf: CostOf | undefined,
): MergedReply['reply'] {
  const { token_usage: usage, models = [], evidence } = reply;
  if (reply.cost_usd !== undefined || usage === undefined || costOf === undefined) return reply;
  const by = evidence?.token_usage;
  const source = by === 'observed' ? observed : by === 'spans' ? spans : recognised;
  const byModel = source?.usage_by_model ?? (models.length === 1 ? { [models[0]!]: usage } : undefined);
  if (byModel === undefined) return reply;
  const cost = priceOf(byModel, costOf);
  if (cost === undefined) return reply;
  return { ...reply, cost_usd: cost, evidence: { ...evidence, cost_usd: 'prices' } };
}

/** Undefined: the price of a model is not known. */
function priceOf(byModel: NonNullable<Trace['usage_by_model']>, costOf: CostOf): number | undefined {
  return addAll([0, ...Object.entries(byModel).map(([model, used]) => costOf(model, used))]);
}

/** Fields of our own that stand beside those of a framework: `{ ...result, memory }`. */
function ownFields(value: Json): ReportedReply {
  if (!isJsonObject(value)) return { trace_gap: MISSING };
  const output = ownValue(value, 'output');
  const own: Record<string, Json> = { output: typeof output === 'string' ? output : '' };
  for (const key of ['memory', 'tools_used', 'cost_usd', 'duration_ms'])
    if (OWN_FIELDS[key]!(ownValue(value, key))) own[key] = value[key]!;
  const read = readReply(own as JsonObject, MISSING);
  if ('problem' in read) return { trace_gap: MISSING };
  return typeof output === 'string' ? read.reply : { ...read.reply, output: undefined };
}

const OWN_FIELDS: Readonly<Record<string, (value: Json | undefined) => boolean>> = {
  memory: isJsonObject,
  tools_used: (value) => Array.isArray(value) && value.every((name: Json) => typeof name === 'string'),
  cost_usd: (value) => typeof value === 'number',
  duration_ms: (value) => typeof value === 'number',
};

/**
 * For what `readReply` makes, without a model. Tests of fast functions run by the hundred thousand: the few combinations are made once,
 * and each field is copied by its name.
 */
function withSources(reply: Reply): Reply {
  const key =
    (reply.trace_gap === undefined ? 1 : 0) +
    (reply.output_messages === undefined ? 0 : 2) +
    (reply.token_usage === undefined ? 0 : 4) +
    (reply.cost_usd === undefined ? 0 : 8);
  return {
    output: reply.output,
    tools_used: reply.tools_used,
    tool_calls: reply.tool_calls,
    trace_gap: reply.trace_gap,
    memory: reply.memory,
    output_messages: reply.output_messages,
    token_usage: reply.token_usage,
    cost_usd: reply.cost_usd,
    duration_ms: reply.duration_ms,
    evidence: (reportedSources[key] ??= sourcesOf(reply)),
  };
}

const reportedSources: EvidenceSources[] = [];

function sourcesOf(reply: Reply): EvidenceSources {
  return {
    output: 'reported',
    ...(reply.trace_gap === undefined ? { tool_calls: 'reported' } : {}),
    ...(reply.output_messages === undefined ? {} : { output_messages: 'reported' }),
    ...(reply.token_usage === undefined ? {} : { token_usage: 'reported' }),
    ...(reply.cost_usd === undefined ? {} : { cost_usd: 'reported' }),
  };
}
