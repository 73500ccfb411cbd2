import type { TimedCall, TokenUsage } from '../../base/model/reply.ts';
import { addUsage } from '../../base/model/usage.ts';
import type { Entry } from '../entry.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { RecordedTurn } from './recording.ts';

/** A conversation of a sub-agent, which a source keeps apart from the main one. */
export interface SubConversation {
  readonly entries: readonly Entry[];
  readonly start_ms?: number | undefined;
  readonly usage?: readonly TokenUsage[] | undefined;
  readonly modelCalls?: number | undefined;
}

interface Place {
  readonly line: number;
  readonly at_ms?: number | undefined;
}

interface Told {
  readonly usage?: TokenUsage | undefined;
  readonly model?: string | undefined;
  readonly cost_usd?: number | undefined;
  readonly modelCalls?: number | undefined;
}

/** Collects what was said, and cuts it into turns: each begins with what a person said. */
export class Conversation {
  readonly turns: RecordedTurn[] = [];
  private entries: Entry[] = [];
  private said: Place & { readonly texts: string[] } = { line: 1, texts: [] };
  private end_ms: number | undefined;
  private told: Told[] = [];
  private subs: SubConversation[] = [];

  add(entries: readonly Entry[], place: Place): void {
    for (const entry of entries) {
      const isTurn = entry.kind === 'user' && entry.isContext !== true;
      if (isTurn) this.begin(entry.text, place);
      else if (entry.kind !== 'system') this.entries.push(entry);
    }
    if (place.at_ms !== undefined) this.end_ms = Math.max(place.at_ms, this.end_ms ?? 0);
  }

  /** What the source tells beside the messages. */
  tell(told: Told): void {
    this.told.push(told);
  }

  /** Its calls and tokens belong to the turn in which it began. */
  addSub(sub: SubConversation): void {
    this.subs.push(sub);
  }

  finish(): readonly RecordedTurn[] {
    this.close(Infinity);
    return this.turns;
  }

  private begin(text: string, place: Place): void {
    // Somebody wrote again before the agent did anything.
    if (this.said.texts.length > 0 && !this.entries.some(({ kind }) => kind === 'assistant')) {
      this.said.texts.push(text);
      return;
    }
    this.close(place.at_ms ?? -Infinity);
    this.said = { ...place, texts: [text] };
    this.end_ms = place.at_ms;
  }

  /** `until`: when the next turn begins. */
  private close(until: number): void {
    const own = this.subs.filter(({ start_ms }) => (start_ms ?? Infinity) < until || until === Infinity);
    this.subs = this.subs.filter((sub) => !own.includes(sub));
    const entries = [...this.entries, ...own.flatMap((sub) => sub.entries)];
    if (this.said.texts.length === 0 && !entries.some(({ kind }) => kind === 'assistant')) return;
    const input = this.said.texts.join('\n\n');
    const trace = traceOfEntries([{ kind: 'user', text: input }, ...entries]);
    const usages = [
      ...this.told.flatMap(({ usage }) => usage ?? []),
      ...own.flatMap(({ usage = [] }) => usage),
    ];
    const models = [...new Set([...(trace.models ?? []), ...this.told.flatMap(({ model }) => model ?? [])])];
    const modelCalls = sum([...this.told, ...own].map((told) => told.modelCalls));
    const start = this.said.at_ms;
    this.turns.push({
      ...trace,
      input,
      line: this.said.line,
      output: trace.output ?? '',
      ...(usages.length === 0 ? {} : { token_usage: addUsage(usages), usage_complete: undefined }),
      models: models.length === 0 ? undefined : models,
      model_calls: modelCalls ?? modelCallsOf(entries),
      cost_usd: sum(this.told.map(({ cost_usd }) => cost_usd)),
      start_ms: start,
      duration_ms:
        start === undefined || this.end_ms === undefined ? undefined : Math.max(0, this.end_ms - start),
      timeline: timelineOf(entries, start),
    });
    this.entries = [];
    this.told = [];
    this.said = { line: this.said.line, texts: [] };
  }
}

/** Of those that are told; undefined if none is. */
function sum(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, number) => total + number, 0);
}

/** Where messages have ids, each is one call of a model. */
function modelCallsOf(entries: readonly Entry[]): number | undefined {
  const ids = entries.flatMap((entry) => (entry.kind === 'assistant' ? (entry.id ?? []) : []));
  return ids.length === 0 ? undefined : new Set(ids).size;
}

/** The calls of tools whose times are known. */
function timelineOf(entries: readonly Entry[], start: number | undefined): readonly TimedCall[] | undefined {
  if (start === undefined) return undefined;
  const given = new Map(
    entries.flatMap((entry) =>
      entry.kind === 'result' && entry.id !== undefined ? [[entry.id, entry]] : [],
    ),
  );
  const calls = entries.flatMap((entry) =>
    entry.kind === 'assistant' ? entry.calls.map((call) => ({ call, entry })) : [],
  );
  const timed = calls.flatMap(({ call, entry }): readonly TimedCall[] => {
    if (call.asked_ms === undefined || call.asked_ms < start) return [];
    const result = call.result ?? given.get(call.id ?? '');
    const { given_ms: end, duration_ms } = result ?? {};
    return [
      {
        kind: 'tool',
        name: call.tool,
        start_ms: call.asked_ms - start,
        ...(duration_ms !== undefined
          ? { duration_ms }
          : end === undefined || end < call.asked_ms
            ? {}
            : { duration_ms: end - call.asked_ms }),
        ...(result?.status === 'error' ? { failed: true } : {}),
        ...(entry.isSub === true && entry.agent !== undefined ? { agent: entry.agent } : {}),
      },
    ];
  });
  return timed.length === 0 ? undefined : timed;
}
