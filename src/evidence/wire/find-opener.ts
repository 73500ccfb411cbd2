import { isJsonList, isJsonObject, type Json } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { Turn, TurnCall } from './turn.ts';

/** A conversation that begins in a step: its first turn and all that follow. */
export interface Conversation {
  readonly first: Turn;
  readonly turns: readonly Turn[];
}

/** What began a conversation: a tool of another one. Without a name, it could have been one of several. */
export interface Opener {
  readonly tool?: string | undefined;
}

/**
 * A conversation that begins while a tool of another one runs is that of a sub-agent, named by the tool. Undefined: it is
 * not, or it is an aside about what the user said (a title that is made while tools run).
 */
export function findOpener(
  { first, turns }: Conversation,
  calls: readonly TurnCall[],
  answerTools?: ReadonlySet<string>,
): Opener | undefined {
  const running = calls.filter((call) => isRunning(call, first));
  const prompted = running.filter((call) => passesOn(call, first.addedText));
  const returned = (prompted.length === 0 ? running : prompted).filter((call) => givesBack(call, turns));
  if (returned.length > 0 || prompted.length > 0) return nameOf(returned.length > 0 ? returned : prompted);
  // A tool may run before the stream that requested it ends, but that alone proves nothing.
  const surely = running.filter(({ turn }) => turn.ended_ms <= first.started_ms);
  if (surely.length === 0) return undefined;
  if (
    surely.some(({ turn }) => isAbout(first, turn)) &&
    !turns.some((turn) => actsByTools(turn, answerTools))
  )
    return undefined;
  const latest = Math.max(...surely.map(({ turn }) => turn.seq));
  return nameOf(surely.filter(({ turn }) => turn.seq === latest));
}

function nameOf(calls: readonly TurnCall[]): Opener {
  const tools = new Set(calls.map(({ asked }) => asked.tool));
  return { tool: tools.size === 1 ? [...tools][0] : undefined };
}

/** Only calls with a result ran. A call without one may be an answer in the form of a call. */
function isRunning({ asked, turn, answered_ms: answered }: TurnCall, first: Turn): boolean {
  return (
    asked.executed_by === undefined &&
    turn.seq < first.seq &&
    answered !== undefined &&
    answered >= first.started_ms
  );
}

/** What the conversation ends with is in the result of the call. */
function givesBack({ result }: TurnCall, turns: readonly Turn[]): boolean {
  const text = (turns.at(-1)?.answer.text ?? '').trim();
  return text.length >= TELLING && result !== undefined && textOf(result.output).includes(text);
}

/** The prompt contains an argument of the call that the user did not write. */
function passesOn({ asked, turn }: TurnCall, prompt: string): boolean {
  return strings(asked.input).some((text) => prompt.includes(text) && !turn.userText.includes(text));
}

function isAbout(first: Turn, { userText }: Turn): boolean {
  return userText.trim().length > 0 && first.addedText.includes(userText.trim());
}

/** Whether tool calls of a turn count: one that the program forces and never answers may be an answer in the form of a call. */
export function actsByTools({ calls, request }: Turn, answerTools: ReadonlySet<string> = FORMS): boolean {
  return calls.some(
    ({ asked, result }) =>
      asked.executed_by !== undefined ||
      result !== undefined ||
      !request.isToolForced ||
      request.tools.length !== 1 ||
      !(FORMS.has(asked.tool) || answerTools.has(asked.tool)),
  );
}

/**
 * Tools that are made up only to get an answer in a form, by frameworks (AI SDK, Pydantic AI, LangChain) and by guards. These names and no
 * others: programs run every other tool that they force. The config can list more.
 */
const FORMS: ReadonlySet<string> = new Set([
  'json',
  'extract',
  'final_result',
  'structured_output',
  'classification',
  'verdict',
  'safety_verdict',
]);

/** Shorter texts are found everywhere. */
const TELLING = 4;

function strings(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return value.trim().length >= TELLING ? [value.trim()] : [];
  if (isJsonList(value)) return value.flatMap(strings);
  return isJsonObject(value) ? Object.values(value).flatMap(strings) : [];
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? '' : printJson(value);
}
