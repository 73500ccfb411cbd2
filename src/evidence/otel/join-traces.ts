import { printJson } from '../../base/model/print-json.ts';
import type { CollectedTrace, Told } from './collector.ts';
import type { ModelAnswer, ModelFact } from './fact.ts';

/**
 * Which traces belong to one conversation: those that name the same one; and, since some instrumentations make each model call a trace
 * of its own, a call whose messages go on where another one ended. `together`: all of them do.
 */
export function joinTraces(
  traces: readonly CollectedTrace[],
  together: boolean,
): readonly (readonly CollectedTrace[])[] {
  const sets = new DisjointSets(traces);
  const byLink = new Map<string, CollectedTrace>();
  const [first] = traces;
  for (const trace of traces) {
    if (together) sets.join(first!, trace);
    for (const link of [...trace.links, trace.id]) {
      const other = byLink.get(link);
      if (other === undefined) byLink.set(link, trace);
      else sets.join(other, trace);
    }
  }
  if (!together) {
    joinByCallIds(traces, sets);
    joinByMessages(sets);
  }
  return sets.groups();
}

/** A tool whose call was asked for in another trace. */
function joinByCallIds(traces: readonly CollectedTrace[], sets: DisjointSets): void {
  const asked = new Map<string, CollectedTrace>();
  for (const trace of traces)
    for (const { fact } of trace.told)
      if (fact.kind === 'model')
        for (const { id } of fact.answer?.calls ?? [])
          if (id !== undefined && id.length > 8) asked.set(id, trace);
  for (const trace of traces)
    for (const { fact } of trace.told) {
      const other = fact.kind === 'tool' && fact.id !== undefined ? asked.get(fact.id) : undefined;
      if (other !== undefined) sets.join(other, trace);
    }
}

function joinByMessages(sets: DisjointSets): void {
  const groups = sets
    .groups()
    .map((group) => ({ group, calls: group.flatMap(({ told }) => told.filter(isModel)).sort(byTime) }))
    .filter(({ group, calls }) => calls.length > 0 && group.every(isOfCallsOnly))
    .sort((one, other) => byTime(one.calls[0]!, other.calls[0]!));
  const ends = new Map<string, CollectedTrace[]>();
  for (const { group, calls } of groups) {
    const { request } = calls[0]!.fact;
    const key = request?.before === undefined ? undefined : keyOf(request.users[0], request.before);
    // The one that is nearest in time, where several are alike.
    const earlier = key === undefined ? undefined : ends.get(key)?.pop();
    if (earlier !== undefined) sets.join(earlier, group[0]!);
    const last = calls.at(-1)!.fact;
    if (last.answer === undefined) continue;
    const end = keyOf(last.request?.users[0], last.answer);
    ends.set(end, [...(ends.get(end) ?? []), group[0]!]);
  }
}

function isOfCallsOnly({ told, links }: CollectedTrace): boolean {
  return links.size === 0 && told.every(({ fact }) => fact.kind === 'model' || fact.kind === 'tool');
}

function isModel(told: Told): told is Told<ModelFact> {
  return told.fact.kind === 'model';
}

function byTime(one: Told, other: Told): number {
  return one.startMs - other.startMs;
}

/** Calls by their ids, for text beside them may come back in another form. */
function keyOf(user: string | undefined, { text = '', calls }: ModelAnswer): string {
  const said =
    calls.length === 0
      ? [text.trim()]
      : calls.map(({ id, tool, input }) => id ?? `${tool} ${printJson(input ?? null)}`);
  return JSON.stringify([user ?? '', ...said]);
}

class DisjointSets {
  private readonly parents: Map<CollectedTrace, CollectedTrace>;

  constructor(traces: readonly CollectedTrace[]) {
    this.parents = new Map(traces.map((trace) => [trace, trace]));
  }

  join(one: CollectedTrace, other: CollectedTrace): void {
    this.parents.set(this.find(other), this.find(one));
  }

  groups(): readonly (readonly CollectedTrace[])[] {
    const groups = new Map<CollectedTrace, CollectedTrace[]>();
    for (const trace of this.parents.keys()) {
      const root = this.find(trace);
      const group = groups.get(root);
      if (group === undefined) groups.set(root, [trace]);
      else group.push(trace);
    }
    return [...groups.values()];
  }

  private find(trace: CollectedTrace): CollectedTrace {
    let root = trace;
    for (let next = this.parents.get(root)!; next !== root; next = this.parents.get(root)!) root = next;
    for (let each = trace; each !== root;) {
      const next = this.parents.get(each)!;
      this.parents.set(each, root);
      each = next;
    }
    return root;
  }
}
