import type { Json } from '../../base/model/json.ts';
import type { Trace } from '../trace.ts';
import { assembleTrace } from './assemble.ts';
import { TelemetryCollector, type CollectedTrace, type Told } from './collector.ts';
import { decodeProtobuf, ProtobufError, type Signal } from './decode-protobuf.ts';
import type { AgentFact, ModelFact, PromptFact } from './fact.ts';
import { joinFacts, type JoinedCall } from './join-facts.ts';
import { joinTraces } from './join-traces.ts';
import { readTelemetry } from './read-telemetry.ts';
import type { TelemetryProblem } from './telemetry.ts';

export { isOtlp } from './read-telemetry.ts';

/** One export request of OTLP. */
export interface OtlpRequest {
  /** JSON that was parsed, or binary protobuf. */
  readonly body: Json | Uint8Array;
  /** Needed for protobuf: which of the two it is. */
  readonly signal?: Signal | undefined;
}

/** What telemetry tells of one conversation with an agent. */
export interface OtlpTrace {
  /** Of the conversation, if the telemetry names it, else of its first trace. */
  readonly id: string;
  /** Who wrote it: `AI SDK`, `Claude Code`. */
  readonly source: string;
  /** Of the agent, if the telemetry names it. */
  readonly agent: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly steps: readonly OtlpStep[];
}

/** From what a person wrote to the answer. */
export interface OtlpStep {
  /** Undefined: the telemetry does not tell. */
  readonly input: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly trace: Trace;
}

export interface ReadTelemetry {
  readonly traces: readonly OtlpTrace[];
  /** Parts that could not be read. Everything else was. */
  readonly problems: readonly TelemetryProblem[];
  /** Spans that were read, also those that tell nothing of agents. */
  readonly spans: number;
  readonly logs: number;
}

/** Reads requests of OTLP, in any order. */
export function readOtlp(requests: Iterable<OtlpRequest>): ReadTelemetry {
  const reader = new OtlpReader();
  for (const request of requests) reader.add(request);
  return reader.read();
}

/** Reads requests one by one, and keeps only what is needed of each. */
export class OtlpReader {
  private readonly collector = new TelemetryCollector();

  add({ body, signal = 'traces' }: OtlpRequest): void {
    const json = body instanceof Uint8Array ? this.decode(body, signal) : body;
    if (json !== undefined) readTelemetry(json, this.collector);
  }

  private decode(body: Uint8Array, signal: Signal): Json | undefined {
    try {
      return decodeProtobuf(body, signal);
    } catch (error) {
      if (!(error instanceof ProtobufError) && !(error instanceof RangeError)) throw error;
      this.collector.onProblem({ at: '', message: `not protobuf of OTLP: ${error.message}` });
      return undefined;
    }
  }

  read(): ReadTelemetry {
    return readCollected(this.collector);
  }
}

/** `isOne`: everything is of one step of one conversation, whatever its ids say. */
export function readCollected(
  { traces, problems, spans, logs }: TelemetryCollector,
  { isOne = false }: { readonly isOne?: boolean } = {},
): ReadTelemetry {
  const groups = joinTraces([...traces.values()], isOne);
  const read = groups.flatMap((group) => readGroup(group, isOne));
  return { traces: read.sort((one, other) => one.startMs - other.startMs), problems, spans, logs };
}

/** Traces that tell nothing of an agent are not conversations. */
function readGroup(traces: readonly CollectedTrace[], isOne: boolean): readonly OtlpTrace[] {
  const told = traces.flatMap((trace) => trace.told);
  if (told.length === 0) return [];
  const startMs = Math.min(...told.map((each) => each.startMs));
  const endMs = told.reduce((end, each) => Math.max(end, each.endMs), -Infinity);
  const agents = told.filter((each): each is Told<AgentFact> => each.fact.kind === 'agent');
  const [first] = traces.toSorted((one, other) => one.startMs - other.startMs);
  const link = traces.flatMap(({ links }) => [...links])[0];
  const root = agents.toSorted((one, other) => one.startMs - other.startMs)[0];
  return [
    {
      id: link ?? first!.id,
      source: sourceOf(told),
      agent: root?.fact.name,
      startMs,
      endMs,
      steps: readSteps(traces, { told, agents, startMs, endMs, isOne }),
    },
  ];
}

/** The one that most of it is in. */
function sourceOf(told: readonly Told[]): string {
  const counts = new Map<string, number>();
  for (const { dialect } of told) counts.set(dialect.name, (counts.get(dialect.name) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1])[0]![0];
}

interface GroupFacts {
  readonly told: readonly Told[];
  readonly agents: readonly Told<AgentFact>[];
  readonly startMs: number;
  readonly endMs: number;
  readonly isOne: boolean;
}

/** A step begins with what a person wrote: events tell of it, or one more message of the user in the requests. */
function readSteps(
  traces: readonly CollectedTrace[],
  { told, agents, startMs, endMs, isOne }: GroupFacts,
): readonly OtlpStep[] {
  const { models, tools } = joinFacts(traces);
  const prompts = told
    .filter((each): each is Told<PromptFact> => each.fact.kind === 'prompt')
    .sort((one, other) => one.startMs - other.startMs);
  const begun: readonly Beginning[] =
    prompts.length > 0
      ? prompts.map((prompt) => ({ startMs: prompt.startMs, input: prompt.fact.text }))
      : turnsOf(models);
  const starts =
    isOne || begun.length === 0 ? [{ startMs, input: agents[0]?.fact.request?.users.at(-1) }] : begun;
  return starts.map((step, index) => {
    const from = index === 0 ? -Infinity : step.startMs;
    const to = starts[index + 1]?.startMs ?? Infinity;
    const isWithin = (call: { readonly startMs: number }): boolean =>
      call.startMs >= from && call.startMs < to;
    const own = { models: models.filter(isWithin), tools: tools.filter(isWithin) };
    const ends = [...own.models, ...own.tools].map((call) => call.endMs);
    const output = agents.filter(isWithin).find(({ fact }) => fact.output !== undefined)?.fact.output;
    const begin = index === 0 ? startMs : step.startMs;
    return {
      input: step.input,
      startMs: begin,
      endMs: index === starts.length - 1 ? endMs : Math.max(begin, ...ends.slice(0, 10_000)),
      trace: assembleTrace({ ...own, output, startMs: begin }),
    };
  });
}

interface Beginning {
  readonly startMs: number;
  readonly input: string | undefined;
}

function turnsOf(models: readonly JoinedCall<ModelFact>[]): readonly Beginning[] {
  const turns: Beginning[] = [];
  let before = 0;
  for (const { fact, startMs } of models.filter(isMainCall)) {
    const users = fact.request?.users ?? [];
    if (users.length <= before) continue;
    before = users.length;
    turns.push({ startMs, input: users.at(-1) });
  }
  return turns;
}

function isMainCall({ fact, isSub }: JoinedCall<ModelFact>): boolean {
  return !isSub && fact.isSide !== true && fact.request !== undefined;
}
