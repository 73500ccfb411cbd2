import type { CollectedTrace, SpanNode, Told } from './collector.ts';
import type { AgentFact, Fact } from './fact.ts';

/** Where a span stands among the others of its conversation. */
export interface Surroundings {
  /** The nearest agent that it is part of. */
  readonly agent: Told<AgentFact> | undefined;
  /** That agent was started by a tool of another one. */
  readonly isSub: boolean;
  /** The nearest model call, tool or agent above it. */
  readonly above: Told | undefined;
}

const NOWHERE: Surroundings = { agent: undefined, isSub: false, above: undefined };

/** Knows the surroundings of spans. Parents may be missing, come late, or go round in a circle. */
export class SpanTree {
  private readonly traces: readonly CollectedTrace[];
  private readonly known = new Map<SpanNode, Surroundings>();

  constructor(traces: readonly CollectedTrace[]) {
    this.traces = traces;
  }

  of({ spanId, isEvent }: Told): Surroundings {
    const node = spanId === undefined ? undefined : this.find(spanId);
    if (node === undefined) return NOWHERE;
    if (!isEvent) return this.above(node);
    const { told } = node;
    return told === undefined ? this.above(node) : this.within(told, this.above(node));
  }

  /** What an event is about, if its span says something of its own. */
  toldBy(spanId: string | undefined): Told | undefined {
    return spanId === undefined ? undefined : this.find(spanId)?.told;
  }

  private find(spanId: string): SpanNode | undefined {
    for (const { nodes } of this.traces) {
      const node = nodes.get(spanId);
      if (node !== undefined) return node;
    }
    return undefined;
  }

  private above(node: SpanNode): Surroundings {
    const path: SpanNode[] = [];
    const seen = new Set<SpanNode>();
    let at: SpanNode | undefined = node;
    while (at !== undefined && !this.known.has(at) && !seen.has(at)) {
      seen.add(at);
      path.push(at);
      at = at.parentId === undefined ? undefined : this.find(at.parentId);
    }
    // A circle begins nowhere.
    const isCircle = at !== undefined && seen.has(at);
    let from: SpanNode | undefined = isCircle ? undefined : at;
    for (const each of path.reverse()) {
      const outer: Surroundings = from === undefined ? NOWHERE : (this.known.get(from) ?? NOWHERE);
      this.known.set(each, from?.told === undefined ? outer : this.within(from.told, outer));
      from = each;
    }
    return this.known.get(node) ?? NOWHERE;
  }

  private within(told: Told, outer: Surroundings): Surroundings {
    if (!isAgent(told)) return { ...outer, above: told };
    const isSub = outer.isSub || (outer.agent !== undefined && outer.above?.fact.kind === 'tool');
    return { agent: told, isSub, above: told };
  }
}

function isAgent(told: Told<Fact>): told is Told<AgentFact> {
  return told.fact.kind === 'agent';
}
