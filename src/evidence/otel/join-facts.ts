import type { CollectedTrace, Told } from './collector.ts';
import type { ModelFact, ToolFact } from './fact.ts';
import { SpanTree, type Surroundings } from './span-tree.ts';

/** A call of a model or a tool, with all that was told of it. */
export interface JoinedCall<F extends ModelFact | ToolFact> extends Surroundings {
  fact: F;
  startMs: number;
  endMs: number;
  /** Its times are those of a span. */
  readonly isSpan: boolean;
}

export interface JoinedFacts {
  readonly models: readonly JoinedCall<ModelFact>[];
  readonly tools: readonly JoinedCall<ToolFact>[];
}

/** Each call once, whatever number of spans and events tell of it. */
export function joinFacts(traces: readonly CollectedTrace[]): JoinedFacts {
  const tree = new SpanTree(traces);
  const told = traces.flatMap((trace) => trace.told).sort((one, other) => one.startMs - other.startMs);
  return { models: joinModels(told.filter(isModel), tree), tools: joinTools(told.filter(isTool), tree) };
}

function isModel(told: Told): told is Told<ModelFact> {
  return told.fact.kind === 'model';
}

function isTool(told: Told): told is Told<ToolFact> {
  return told.fact.kind === 'tool';
}

type JoinedModel = JoinedCall<ModelFact>;

function joinModels(told: readonly Told<ModelFact>[], tree: SpanTree): readonly JoinedModel[] {
  const models: JoinedModel[] = [];
  const byId = new Map<string, JoinedModel>();
  const bySpan = new Map<string, JoinedModel>();
  const open = (each: Told<ModelFact>): JoinedModel => {
    const { fact, startMs, endMs, isEvent } = each;
    const joined = { fact, startMs, endMs, isSpan: !isEvent, ...tree.of(each) };
    models.push(joined);
    return joined;
  };
  for (const each of told.filter(({ isEvent }) => !isEvent)) {
    const { id } = each.fact;
    const above = tree.of(each).above;
    // A client inside of a client is the same call.
    const outer = above?.fact.kind === 'model' ? bySpan.get(above.spanId!) : undefined;
    const same = (id === undefined ? undefined : byId.get(id)) ?? outer;
    const joined = same ?? open(each);
    if (same !== undefined) same.fact = merge(same.fact, each.fact);
    if (id !== undefined) byId.set(id, joined);
    bySpan.set(each.spanId!, joined);
  }
  joinEvents(
    told.filter(({ isEvent }) => isEvent),
    { models, byId, bySpan, open },
  );
  return models.sort(byTime);
}

/** Calls may begin within one tick of the clock: then the one that was sent more messages is the later one. */
function byTime(one: JoinedModel, other: JoinedModel): number {
  const size = ({ fact }: JoinedModel): number => fact.request?.size ?? 0;
  return one.startMs - other.startMs || size(one) - size(other) || one.endMs - other.endMs;
}

interface KnownModels {
  readonly models: readonly JoinedModel[];
  readonly byId: Map<string, JoinedModel>;
  readonly bySpan: Map<string, JoinedModel>;
  readonly open: (each: Told<ModelFact>) => JoinedModel;
}

/** Events are about the call that they name, by its id or its span. Others are about the one with the same number of tokens. */
function joinEvents(events: readonly Told<ModelFact>[], { models, byId, bySpan, open }: KnownModels): void {
  const bySize = new Map<string, JoinedModel[]>();
  for (const model of models) push(bySize, sizeOf(model.fact), model);
  for (const list of bySize.values()) list.sort((one, other) => one.endMs - other.endMs);
  const byLabel = new Map<string, JoinedModel[]>();
  for (const each of events) {
    const { id, label = '', isPart } = each.fact;
    const named = (id === undefined ? undefined : byId.get(id)) ?? bySpan.get(each.spanId ?? '');
    const sized = named ?? (isPart === true ? undefined : bySize.get(sizeOf(each.fact))?.shift());
    const labelled = sized ?? (isPart === true ? byLabel.get(label)?.shift() : undefined);
    const joined = labelled ?? open(each);
    // An event is written when the call is over, with figures that are as good or better.
    if (labelled !== undefined) labelled.fact = merge(each.fact, labelled.fact);
    if (id !== undefined) byId.set(id, joined);
    if (labelled === undefined && isPart === true && each.spanId !== undefined)
      bySpan.set(each.spanId, joined);
    if (isPart !== true) push(byLabel, label, joined);
  }
}

function sizeOf({ model, usage }: ModelFact): string {
  return usage === undefined ? 'unknown' : `${model} ${usage.input + (usage.cached ?? 0)}`;
}

function push<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** The first stands, and the second fills in what it leaves out. */
function merge<F extends ModelFact | ToolFact>(first: F, second: F): F {
  const merged: Record<string, unknown> = { ...second };
  for (const [key, value] of Object.entries(first)) if (value !== undefined) merged[key] = value;
  if (first.kind === 'model' && second.kind === 'model') {
    // Of messages that come one by one, each tells a part.
    merged['isPart'] = first.isPart === true && second.isPart === true ? true : undefined;
    if (first.isPart === true) {
      const { request, answer } = second;
      if (request !== undefined && first.request !== undefined)
        merged['request'] = {
          size: request.size + first.request.size,
          users: [...request.users, ...first.request.users],
          before: first.request.before ?? request.before,
          results: [...request.results, ...first.request.results],
        };
      if (answer !== undefined && first.answer !== undefined)
        merged['answer'] = answer.text === undefined && answer.calls.length === 0 ? first.answer : answer;
    }
  }
  return merged as unknown as F;
}

type JoinedTool = JoinedCall<ToolFact>;

function joinTools(told: readonly Told<ToolFact>[], tree: SpanTree): readonly JoinedTool[] {
  const tools: JoinedTool[] = [];
  const byId = new Map<string, JoinedTool>();
  const bySpan = new Map<string, JoinedTool>();
  const byName = new Map<string, JoinedTool[]>();
  for (const each of [...told].sort((one, other) => Number(one.isEvent) - Number(other.isEvent))) {
    const { fact, startMs, endMs, isEvent } = each;
    const place = tree.of(each);
    const { above } = place;
    const isInner = above?.fact.kind === 'tool' && (fact.tool === undefined || fact.tool === above.fact.tool);
    const outer = isInner ? bySpan.get(above.spanId!) : undefined;
    const named = fact.id === undefined ? undefined : byId.get(fact.id);
    const alike = isEvent && fact.id === undefined ? byName.get(fact.tool ?? '')?.shift() : undefined;
    const same = named ?? outer ?? alike;
    if (same === undefined) {
      const joined = { fact, startMs, endMs, isSpan: !isEvent, ...place };
      tools.push(joined);
      if (fact.id !== undefined) byId.set(fact.id, joined);
      if (!isEvent) push(byName, fact.tool ?? '', joined);
      if (!isEvent) bySpan.set(each.spanId!, joined);
    } else {
      same.fact = isEvent ? merge(fact, same.fact) : merge(same.fact, fact);
      if (!isEvent) bySpan.set(each.spanId!, same);
    }
  }
  return tools.sort((one, other) => one.startMs - other.startMs);
}
