import { jsonEqual } from '../../base/match/json-equal.ts';
import { isSameTool } from '../../base/match/same-tool.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { RecordedToolCall } from '../../base/model/reply.ts';
import { OPENAI_CHAT_MESSAGES } from '../dialects/openai-chat-messages.ts';
import { MESSAGES } from '../dialects/registry.ts';
import type { AskedCall, Entry, ResultEntry } from '../entry.ts';
import { readOutput, textAt, valueAt } from '../foreign-fields.ts';
import type { TraceProblem } from '../trace.ts';
import type { Observation } from './observation.ts';

/** What the nodes of a trace tell of calls of tools: those that ran, and those that a model asked for. */
export interface ObservedCalls {
  /** Undefined: it is not told whether there were any. */
  readonly calls: readonly RecordedToolCall[] | undefined;
  /** Why there may be more. */
  readonly gap?: TraceProblem | undefined;
  /** The last model call asks for a tool, and nothing came of it. */
  readonly isOpen: boolean;
}

/** `nodes`: in the order of their times. */
export function observedCalls(nodes: readonly Observation[]): ObservedCalls {
  const models = nodes.filter(({ kind }) => kind === 'model');
  const tools = nodes.filter(({ kind }) => kind === 'tool');
  const answers = new Map(models.map((model) => [model, answerEntries(model.output)]));
  const results = new Map(
    models
      .flatMap(({ input }) => entriesIn(input) ?? [])
      .flatMap((entry) => (entry.kind === 'result' && entry.id !== undefined ? [[entry.id, entry]] : [])),
  );
  const ran = new Map<AskedCall, Observation>();
  const taken = new Set<Observation>();
  const open = new Map<string, Observation[]>();
  for (const node of nodes) {
    if (node.kind === 'model') continue;
    const named = open.get(node.name);
    if (named === undefined) open.set(node.name, [node]);
    else named.push(node);
  }
  for (const answer of answers.values())
    for (const asked of callsIn(answer)) {
      const node = takeNode(asked, open);
      if (node === undefined) continue;
      taken.add(node);
      ran.set(asked, node);
    }
  const calls = nodes.flatMap((node): readonly RecordedToolCall[] => {
    if (node.kind === 'tool') return taken.has(node) ? [] : [toCall(node)];
    return callsIn(answers.get(node)).map((asked) =>
      askedCall(asked, ran.get(asked), results.get(asked.id ?? '')),
    );
  });
  const last = models.at(-1);
  const isOpen = callsIn(last && answers.get(last)).some(
    (asked) => asked.result === undefined && !ran.has(asked) && !results.has(asked.id ?? ''),
  );
  const gap = gapOf(models, { answers, hasTools: tools.length > 0, isOpen });
  return { calls: gap !== undefined && calls.length === 0 ? undefined : calls, gap, isOpen };
}

/** What a model said: its text, in whatever wrapping. Undefined: the node does not tell. */
export function answerText(output: Json | undefined): string | undefined {
  const said = answerEntries(output)?.flatMap((entry) => (entry.kind === 'assistant' ? entry : []));
  if (said === undefined || said.length === 0) return undefined;
  return said.map(({ text, refusal }) => text ?? refusal ?? '').join('');
}

function callsIn(answer: readonly Entry[] | undefined): readonly AskedCall[] {
  return (answer ?? []).flatMap((entry) => (entry.kind === 'assistant' ? entry.calls : []));
}

function gapOf(
  models: readonly Observation[],
  {
    answers,
    hasTools,
    isOpen,
  }: {
    readonly answers: ReadonlyMap<Observation, readonly Entry[] | undefined>;
    readonly hasTools: boolean;
    readonly isOpen: boolean;
  },
): TraceProblem | undefined {
  const at = 'the trace';
  if (models.length === 0 && !hasTools) return { at, form: 'it tells of no model call and of no tool' };
  if (isOpen) return { at, form: 'it ends with a model call that asks for a tool' };
  for (const answer of answers.values())
    for (const entry of answer ?? [])
      if (entry.kind === 'unknown' && entry.mayHoldCall) return { at: entry.at, form: entry.form };
  const silent = models.find((model) => answers.get(model) === undefined && model.error === undefined);
  return silent === undefined || hasTools
    ? undefined
    : { at, form: `it does not tell what the model answered in "${silent.name}"` };
}

/** The same tool with the same arguments, else the next one of its name. Some platforms know no tools, and write them as any other span. */
function takeNode(asked: AskedCall, open: ReadonlyMap<string, Observation[]>): Observation | undefined {
  const named = open.get(asked.tool) ?? [...open].find(([name]) => isSameTool(name, asked.tool))?.[1] ?? [];
  const same = named.findIndex(({ input }) => jsonEqual(input ?? null, asked.input ?? null));
  const [taken] = named.splice(Math.max(0, same), 1);
  return taken;
}

function askedCall(
  asked: AskedCall,
  node: Observation | undefined,
  sent: ResultEntry | undefined,
): RecordedToolCall {
  const own = node === undefined ? { tool: asked.tool } : toCall(node);
  const result = asked.result ?? sent;
  return {
    ...own,
    ...(asked.id === undefined ? {} : { id: asked.id }),
    ...(asked.input === undefined ? {} : { input: asked.input }),
    ...(own.output !== undefined || result?.output === undefined ? {} : { output: result.output }),
    ...(own.status !== undefined || result?.status === undefined ? {} : { status: result.status }),
    ...(asked.executed_by === undefined ? {} : { executed_by: asked.executed_by }),
  };
}

function toCall({ name, input, output, error, start_ms, end_ms }: Observation): RecordedToolCall {
  return {
    tool: name,
    ...(input === undefined ? {} : { input }),
    ...(output === undefined && error === undefined ? {} : { output: output ?? error! }),
    ...(error === undefined ? {} : { status: 'error' }),
    ...(start_ms === undefined || end_ms === undefined
      ? {}
      : { duration_ms: Math.max(0, end_ms - start_ms) }),
  };
}

function answerEntries(output: Json | undefined): readonly Entry[] | undefined {
  const entries = entriesIn(output);
  if (entries !== undefined) return entries.filter(({ kind }) => kind !== 'user' && kind !== 'system');
  return typeof output === 'string' ? [{ kind: 'assistant', text: output, calls: [] }] : undefined;
}

/** The messages in a value, in whichever provider's words. */
function entriesIn(value: Json | undefined): readonly Entry[] | undefined {
  const read = readOutput(value);
  const messages = typeof read === 'object' && read !== null ? messagesIn(read, DEPTH) : undefined;
  if (messages === undefined) return undefined;
  const dialect = MESSAGES.find((each) => each.recognises(messages));
  if (dialect !== undefined) return dialect.read(messages, 'the messages');
  return messages.every((message) => textAt(message, 'role') !== undefined)
    ? OPENAI_CHAT_MESSAGES.read(messages, 'the messages')
    : undefined;
}

const DEPTH = 5;
/** Where APIs and frameworks put messages. */
const WRAPPINGS = ['messages', 'message', 'choices', 'generations', 'candidates', 'output', 'outputs'];

function messagesIn(value: Json, depth: number): readonly Json[] | undefined {
  if (depth === 0) return undefined;
  if (isJsonList(value)) {
    const items: readonly Json[] = value.flat();
    const [first] = items;
    if (!isJsonObject(first)) return undefined;
    return isMessage(first) ? items : messagesIn(first, depth - 1);
  }
  if (!isJsonObject(value)) return undefined;
  if (isMessage(value)) return [value];
  for (const name of WRAPPINGS) {
    const inner = valueAt(value, name);
    const found = inner === undefined ? undefined : messagesIn(inner, depth - 1);
    if (found !== undefined) return found;
  }
  // An answer of Gemini, and a generation of LangChain without its message.
  const content = valueAt(value, 'content');
  if (isJsonObject(content)) return messagesIn(content, depth - 1);
  const text = textAt(value, 'text');
  return text === undefined ? undefined : [{ role: 'assistant', content: text }];
}

function isMessage(value: JsonObject): boolean {
  return textAt(value, 'role') !== undefined || textAt(value, 'type') !== undefined || 'kwargs' in value;
}
