import type { TimedCall, TokenUsage } from '../../base/model/reply.ts';
import { addAll, addUsage } from '../../base/model/usage.ts';
import type { Entry } from '../entry.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { TraceProblem } from '../trace.ts';
import { withGap } from '../unfinished-trace.ts';
import type { RecordedTurn } from './recording.ts';

/** A conversation of a sub-agent, which a source keeps apart from the main one. It may still grow. */
export interface SubConversation {
  /** Its name, once it is known. */
  agent?: string | undefined;
  start_ms?: number | undefined;
  readonly entries: Entry[];
  /** Of each call of a model, where the source tells it apart from the messages. */
  readonly usages: TokenUsage[];
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

/**
 * Where a recording may end before its agent was done. `anywhere`: it is written line by line. `asked`: somebody kept the messages so
 * far, which may end with a call. `whole`: it is written when all is over.
 */
type EndOfRecording = 'anywhere' | 'asked' | 'whole';

/** Collects what was said, and cuts it into turns: each begins with what a person said. */
export class Conversation {
  readonly turns: RecordedTurn[] = [];
  private entries: Entry[] = [];
  private said: Place & { readonly texts: string[] } = { line: 1, texts: [] };
  private end_ms: number | undefined;
  private told: Told[] = [];
  private subs: SubConversation[] = [];
  private size = 0;
  private readonly ends: EndOfRecording;

  constructor(ends: EndOfRecording = 'whole') {
    this.ends = ends;
  }

  add(entries: readonly Entry[], place: Place): void {
    for (const entry of entries) {
      const isTurn = entry.kind === 'user' && entry.isContext !== true;
      this.size += sizeOf(entry);
      if (isTurn) this.begin(entry.text, place);
      else if (entry.kind !== 'system') this.entries.push(entry);
    }
    if (place.at_ms !== undefined) this.end_ms = Math.max(place.at_ms, this.end_ms ?? 0);
  }

  /** The turns that ended, if they are too long to be kept; there is at least one more turn to come. */
  takeLong(): readonly RecordedTurn[] | undefined {
    if (this.size < LONG || this.turns.length === 0) return undefined;
    this.size = 0;
    return this.turns.splice(0);
  }

  /** What the source tells beside the messages. */
  tell(told: Told): void {
    this.told.push(told);
  }

  /** Its calls and tokens belong to the turn in which it began. */
  addSub(sub: SubConversation): void {
    this.subs.push(sub);
  }

  /** The session of these sub-agents is not there: what they did is all there is. */
  useSubs(): void {
    for (const { entries } of this.subs.splice(0)) this.add(entries, { line: 1 });
  }

  finish(): readonly RecordedTurn[] {
    const problem = this.earlyEnd();
    const before = this.turns.length;
    this.close(Infinity);
    const last = this.turns.at(-1);
    if (problem !== undefined && last !== undefined && this.turns.length > before)
      this.turns[before] = withoutEnd(last, problem);
    return this.turns;
  }

  /** The last turn ends before the agent was done: nobody knows what came after it. */
  private earlyEnd(): TraceProblem | undefined {
    if (this.ends === 'whole') return undefined;
    const at = 'the recording';
    const said = this.entries.filter((entry) => entry.kind === 'assistant' && entry.isSub !== true);
    const last = said.at(-1);
    if (last?.kind !== 'assistant') {
      const isWhole = this.said.texts.length === 0 || (this.ends === 'asked' && this.turns.length > 0);
      return isWhole ? undefined : { at, form: 'it ends before the agent answered' };
    }
    const results = this.entries.slice(this.entries.lastIndexOf(last));
    const isOpen = last.calls.some(
      ({ id, result, executed_by }) =>
        result === undefined &&
        executed_by === undefined &&
        !results.some(
          (entry) =>
            entry.kind === 'result' && (entry.id === id || entry.id === undefined || id === undefined),
        ),
    );
    return isOpen ? { at, form: 'it ends with a tool call that has no result' } : undefined;
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
    const entries = [...this.entries, ...own.flatMap(entriesOfSub)];
    if (this.said.texts.length === 0 && !entries.some(({ kind }) => kind === 'assistant')) return;
    const input = this.said.texts.join('\n\n');
    const trace = traceOfEntries([{ kind: 'user', text: input }, ...entries]);
    const usages = [
      ...this.told.flatMap(({ usage }) => usage ?? []),
      ...own.flatMap(({ usages: each }) => each),
    ];
    const models = [...new Set([...(trace.models ?? []), ...this.told.flatMap(({ model }) => model ?? [])])];
    const modelCalls = sum([
      ...this.told.map((told) => told.modelCalls),
      ...own.map(({ usages: each }) => each.length || undefined),
    ]);
    const start = this.said.at_ms;
    this.turns.push({
      ...trace,
      input,
      line: this.said.line,
      output: trace.output ?? '',
      ...(usages.length === 0 ? {} : { token_usage: addUsage(usages), usage_complete: undefined }),
      models: models.length === 0 ? undefined : models,
      model_calls: modelCalls ?? modelCallsOf(entries),
      cost_usd: addAll(this.told.map(({ cost_usd }) => cost_usd)),
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

/** What is told of a turn that may go on: a lower bound, without an answer. */
export function withoutEnd(turn: RecordedTurn, problem: TraceProblem): RecordedTurn {
  return { ...withHole(turn, problem), output: undefined };
}

/** The same where something in the middle is missing. */
export function withHole(turn: RecordedTurn, problem: TraceProblem): RecordedTurn {
  const { tool_calls, gap } = withGap(turn, problem);
  return { ...turn, tool_calls, gap, usage_complete: false, cost_usd: undefined };
}

/** About as many characters as it has. */
function sizeOf(entry: Entry): number {
  const text = 'text' in entry ? (entry.text?.length ?? 0) : 0;
  const output = entry.kind === 'result' ? entry.output : undefined;
  return 200 + text + (typeof output === 'string' ? output.length : 0);
}

/** A recording of more characters is several, so that none has to be in memory as a whole. */
const LONG = 8_000_000;

/** What somebody asked a sub-agent is no turn of a person. */
function entriesOfSub({ agent = 'sub-agent', entries }: SubConversation): readonly Entry[] {
  return entries.flatMap((entry): readonly Entry[] => {
    if (entry.kind === 'assistant') return [{ ...entry, isSub: true, agent }];
    return entry.kind === 'user' || entry.kind === 'system' ? [] : [entry];
  });
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
