import { jsonEqual } from '../../base/match/json-equal.ts';
import { isSameTool } from '../../base/match/same-tool.ts';
import type { TimedCall } from '../../base/model/reply.ts';
import { addAll } from '../../base/model/usage.ts';
import type { AskedCall, AssistantEntry, Entry, ResultEntry } from '../entry.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace, TraceProblem, TraceWarning } from '../trace.ts';
import { withEarlyEnd, withGap } from '../unfinished-trace.ts';
import type { ModelFact, ToolFact } from './fact.ts';
import { CONTENT_SWITCH } from './switches.ts';
import type { JoinedCall, JoinedFacts } from './join-facts.ts';

export interface StepFacts extends JoinedFacts {
  /** What the agent as a whole answered, where its model calls do not tell. */
  readonly output: string | undefined;
  /** Times count from here. */
  readonly startMs: number;
}

/** One step of a conversation as a trace. */
export function assembleTrace({ models, tools, output, startMs }: StepFacts): Trace {
  const answered = models.map((model) => ({ model, calls: askedCalls(model) }));
  const strays = joinTools(answered, tools);
  joinResults(answered);
  const entries = [...answered.map(toEntry), ...strays.map(toResult)];
  const trace = traceOfEntries(entries);
  const acting = models.filter(({ fact }) => fact.isSide !== true);
  const main = acting.filter(({ isSub }) => !isSub);
  const last = main.at(-1);
  const told: Trace = {
    ...trace,
    output: last?.fact.answer === undefined ? output : trace.output === '' ? (output ?? '') : trace.output,
    tool_calls: acting.length === 0 && tools.length === 0 ? undefined : trace.tool_calls,
    messages: last?.fact.answer === undefined ? undefined : trace.messages,
    model_calls: models.length === 0 ? undefined : models.length,
    ...costOf(models),
    ...firstToken(main),
    timeline: timelineOf(answered, strays, startMs),
    ...contentWarning(acting, tools),
  };
  const end = earlyEnd(last, answered);
  if (end !== undefined) return withEarlyEnd({ ...lowerBound(told), output: undefined }, end);
  const gap = gapOf(acting, tools, answered);
  return gap === undefined ? told : withGap(lowerBound(told), gap);
}

/** A model call that is missing used tokens too. */
export function lowerBound(trace: Trace): Trace {
  return { ...trace, usage_complete: false, cost_usd: undefined };
}

/** A model call, and what became of the tool calls that it asked for. */
interface AnsweredCall {
  readonly model: JoinedCall<ModelFact>;
  readonly calls: MadeCall[];
}

interface MadeCall {
  asked: AskedCall;
  tool: JoinedCall<ToolFact> | undefined;
  result: Omit<ResultEntry, 'kind' | 'id' | 'tool'> | undefined;
}

function askedCalls({ fact }: JoinedCall<ModelFact>): MadeCall[] {
  const calls = fact.isSide === true ? [] : (fact.answer?.calls ?? []);
  return calls.map((asked) => ({ asked, tool: undefined, result: asked.result }));
}

/** Gives each call the tool that ran for it. A tool that no model is known to have asked for belongs to the model call before it. */
function joinTools(
  answered: readonly AnsweredCall[],
  tools: readonly JoinedCall<ToolFact>[],
): readonly JoinedCall<ToolFact>[] {
  const byId = new Map<string, MadeCall>();
  const byTool = new Map<string, MadeCall[]>();
  for (const { calls } of answered)
    for (const call of calls) {
      const { id, tool } = call.asked;
      if (id !== undefined && !byId.has(id)) byId.set(id, call);
      const named = byTool.get(tool) ?? [];
      named.push(call);
      byTool.set(tool, named);
    }
  const strays: JoinedCall<ToolFact>[] = [];
  const acting = answered.filter(({ model }) => model.fact.isSide !== true);
  for (const tool of tools) {
    const { id, tool: name, input } = tool.fact;
    const own = id === undefined ? undefined : byId.get(id);
    const named = own === undefined ? (name === undefined ? [] : alike(byTool, name)) : [];
    const open = named.filter(
      (call) => call.tool === undefined && (id === undefined || call.asked.id === undefined),
    );
    const call =
      own ??
      open.find(
        ({ asked }) => input !== undefined && asked.input !== undefined && jsonEqual(asked.input, input),
      ) ??
      open[0];
    if (call !== undefined) {
      if (call.tool === undefined) setTool(call, tool);
      continue;
    }
    const before = acting.findLast(
      ({ model }) => model.startMs <= tool.startMs && model.agent?.spanId === tool.agent?.spanId,
    );
    if (before === undefined || name === undefined) {
      strays.push(tool);
      continue;
    }
    const made: MadeCall = { asked: { tool: name, id }, tool: undefined, result: undefined };
    setTool(made, tool);
    before.calls.push(made);
  }
  return strays;
}

function alike(byTool: ReadonlyMap<string, readonly MadeCall[]>, name: string): readonly MadeCall[] {
  const exact = byTool.get(name);
  if (exact !== undefined) return exact;
  for (const [other, calls] of byTool) if (isSameTool(other, name)) return calls;
  return [];
}

function setTool(call: MadeCall, tool: JoinedCall<ToolFact>): void {
  call.tool = tool;
  const { input } = call.asked;
  if (input === undefined && tool.fact.input !== undefined)
    call.asked = { ...call.asked, input: tool.fact.input };
  call.result = { ...call.result, ...resultOf(tool) };
}

function resultOf({ fact, isSpan, startMs, endMs }: JoinedCall<ToolFact>): NonNullable<MadeCall['result']> {
  const { output, status } = fact;
  const duration = isSpan ? endMs - startMs : fact.durationMs;
  return {
    ...(output === undefined ? {} : { output }),
    ...(status === undefined ? {} : { status }),
    ...(duration === undefined ? {} : { duration_ms: Math.round(duration * 1000) / 1000 }),
  };
}

/** What came back for a call is in the next request too: the only place for it, where no tool is told of. */
function joinResults(answered: readonly AnsweredCall[]): void {
  const calls = answered.flatMap((each) => each.calls);
  const byId = new Map(calls.flatMap((call) => (call.asked.id === undefined ? [] : [[call.asked.id, call]])));
  for (const [index, { model }] of answered.entries())
    for (const { kind: _kind, id, tool, ...result } of model.fact.request?.results ?? []) {
      const open = answered
        .slice(Math.max(0, index - 50), index)
        .flatMap((each) => each.calls)
        .filter((call) => call.result?.output === undefined);
      const named =
        (id === undefined ? undefined : byId.get(id)) ??
        open.find(
          ({ asked }) =>
            (tool === undefined || asked.tool === tool) && (id === undefined || asked.id === undefined),
        );
      if (named !== undefined) named.result = { ...result, ...named.result };
    }
}

function toEntry({ model: { fact, agent, isSub }, calls }: AnsweredCall): AssistantEntry {
  const { answer, usage, model, isSide } = fact;
  return {
    kind: 'assistant',
    text: isSide === true ? undefined : answer?.text,
    calls: calls.map(({ asked, tool, result }) => {
      const named = tool?.fact.tool;
      // The shorter of two names of one tool is the one that the model knows.
      return { ...asked, tool: asked.tool === '' && named !== undefined ? named : asked.tool, result };
    }),
    usage,
    model,
    agent: agent?.fact.name ?? calls.find(({ tool }) => tool?.fact.agent !== undefined)?.tool?.fact.agent,
    isSub: isSub || isSide === true ? true : undefined,
  };
}

function toResult(tool: JoinedCall<ToolFact>): Entry {
  return { kind: 'result', id: tool.fact.id, tool: tool.fact.tool, ...resultOf(tool) };
}

function costOf(models: readonly JoinedCall<ModelFact>[]): Pick<Trace, 'cost_usd'> {
  const cost = addAll(models.map(({ fact }) => fact.costUsd));
  return cost === undefined ? {} : { cost_usd: cost };
}

function firstToken([first]: readonly JoinedCall<ModelFact>[]): Pick<Trace, 'time_to_first_token_ms'> {
  const ms = first?.fact.firstTokenMs;
  return ms === undefined ? {} : { time_to_first_token_ms: ms };
}

function timelineOf(
  answered: readonly AnsweredCall[],
  strays: readonly JoinedCall<ToolFact>[],
  startMs: number,
): readonly TimedCall[] {
  const timed = (
    call: JoinedCall<ModelFact | ToolFact>,
    kind: TimedCall['kind'],
    name: string,
  ): TimedCall => {
    const { fact, agent, isSpan } = call;
    const isFailed = fact.kind === 'model' ? fact.failed === true : fact.status === 'error';
    return {
      kind,
      name,
      start_ms: round(Math.max(0, call.startMs - startMs)),
      ...(isSpan ? { duration_ms: round(call.endMs - call.startMs) } : {}),
      ...(fact.kind === 'model' && fact.firstTokenMs !== undefined
        ? { time_to_first_token_ms: fact.firstTokenMs }
        : {}),
      ...(isFailed ? { failed: true as const } : {}),
      ...(agent?.fact.name === undefined ? {} : { agent: agent.fact.name }),
      ...(fact.kind === 'model' && fact.usage !== undefined ? { token_usage: fact.usage } : {}),
    };
  };
  const calls = answered.flatMap(({ model, calls: made }) => [
    timed(model, 'model', model.fact.model ?? 'unknown model'),
    ...made.flatMap(({ asked, tool }) => (tool === undefined ? [] : timed(tool, 'tool', asked.tool))),
  ]);
  return [...calls, ...strays.map((tool) => timed(tool, 'tool', tool.fact.tool ?? 'unknown tool'))].sort(
    (one, other) => (one.start_ms ?? 0) - (other.start_ms ?? 0),
  );
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

const ASKS = /tool|function/i;

/** The model asked for a tool, and nothing came after it: the rest is missing. */
function earlyEnd(
  last: JoinedCall<ModelFact> | undefined,
  answered: readonly AnsweredCall[],
): TraceProblem | undefined {
  if (last === undefined || last.fact.failed === true) return undefined;
  const calls = answered.find(({ model }) => model === last)?.calls ?? [];
  const isOpen = calls.some(({ asked, result }) => asked.executed_by === undefined && result === undefined);
  if (
    !isOpen &&
    !(ASKS.test(last.fact.finish ?? '') && last.fact.answer?.text === undefined && calls.length === 0)
  )
    return undefined;
  return {
    at: 'the telemetry',
    form: 'it ends with a model call that asks for a tool, and what came after it is missing',
  };
}

function gapOf(
  acting: readonly JoinedCall<ModelFact>[],
  tools: readonly JoinedCall<ToolFact>[],
  answered: readonly AnsweredCall[],
): TraceProblem | undefined {
  if (acting.length === 0 && tools.length === 0)
    return { at: 'the telemetry', form: 'it contains no call of a model or a tool' };
  const unknown = acting.flatMap(({ fact }) => fact.answer?.unknown ?? [])[0];
  if (unknown !== undefined) return { at: unknown.at, form: unknown.form };
  if (tools.some(({ fact }) => fact.tool === undefined))
    return { at: 'the telemetry', form: 'the span of a tool without its name' };
  const isSilent = acting.some(
    ({ fact }) => fact.answer === undefined && fact.failed !== true && mayAsk(fact.finish),
  );
  // It requested a tool, and no span or event reports a call.
  const isAlone = answered.some(
    ({ model: { fact }, calls }) =>
      acting.some((each) => each.fact === fact) &&
      fact.answer === undefined &&
      fact.failed !== true &&
      calls.length === 0 &&
      ASKS.test(fact.finish ?? ''),
  );
  if (isAlone || (isSilent && tools.length === 0))
    return { at: 'the telemetry', form: `it does not tell what the model answered\n${CONTENT_SWITCH}` };
  return missingHistory(acting, answered);
}

function mayAsk(finish: string | undefined): boolean {
  return finish === undefined || finish === '' || ASKS.test(finish);
}

/** A request holds a call of this turn that no other part of the telemetry tells of. */
function missingHistory(
  acting: readonly JoinedCall<ModelFact>[],
  answered: readonly AnsweredCall[],
): TraceProblem | undefined {
  const known = answered.flatMap(({ calls }) => calls.map(({ asked }) => asked));
  const ids = new Set(known.flatMap(({ id }) => id ?? []));
  for (const { fact } of acting) {
    const { before, results = [] } = fact.request ?? {};
    for (const call of results.length === 0 ? [] : (before?.calls ?? []))
      // Some programs give a call another id on its way.
      if (!ids.has(call.id ?? '') && !known.some((other) => isSameCall(other, call)))
        return { at: 'the telemetry', form: `a model call is missing that asked for \`${call.tool}\`` };
  }
  return undefined;
}

function isSameCall(one: AskedCall, other: AskedCall): boolean {
  return isSameTool(one.tool, other.tool) && jsonEqual(one.input ?? null, other.input ?? null);
}

function contentWarning(
  acting: readonly JoinedCall<ModelFact>[],
  tools: readonly JoinedCall<ToolFact>[],
): { readonly warnings?: readonly TraceWarning[] } {
  const isOff =
    tools.length > 0 &&
    tools.every(({ fact }) => fact.input === undefined) &&
    acting.every(({ fact }) => fact.answer === undefined);
  if (!isOff) return {};
  return {
    warnings: [
      {
        code: 'telemetry_without_content',
        message:
          'the telemetry of the agent does not tell what its tools were given, so claims about arguments cannot be checked',
        hint: CONTENT_SWITCH,
      },
    ],
  };
}
