import { isRecognised } from '../recognise.ts';
import type { Json, JsonObject } from '../../base/model/json.ts';
import { tryParseJson } from '../../base/model/parse-json.ts';
import { describeBroken } from './broken-reply.ts';
import { AgentError } from './agent-error.ts';
import type { RawReply } from './raw-reply.ts';
import { isEvent, unknownEvents } from './events-in-text.ts';
import { findJsonBlocks, type JsonBlock } from './json-blocks.ts';
import { describeNoAnswer, findMisnamed, hasAnswer, hasReplyField, isOnlyAnError } from './no-answer.ts';
import { brokenReply, mixedOutput, noOutput, type ReplyWarning } from './reply-warning.ts';
import { findUnreadCall } from './unread-call.ts';
import { ReplyProblem } from './reply-problem.ts';

interface Source {
  /** How the text came, for messages. */
  readonly verb: 'printed' | 'sent' | 'wrote to {OUTPUT_FILE}';
  /** What came beside it. */
  readonly printed: string;
}

/**
 * The reply in what a program printed: an object with an answer, as all of it, alone on its line or over several lines, with
 * other lines around it; or else the text itself. What is neither throws a contract error.
 */
export function readPrintedReply(text: string, { verb, printed }: Source): RawReply {
  if (text.trim() === '') throw new AgentError('contract', `${NOTHING[verb]}\n${ANSWER_HINT}`, { printed });
  try {
    const { reply, warning, rest } = readText(text);
    return { reply, warning, printed: rest + printed };
  } catch (error) {
    if (!(error instanceof ReplyProblem)) throw error;
    const message = error.message.replace(PRINTED, verb);
    throw new AgentError('contract', message, { printed: verb === 'printed' ? text + printed : printed });
  }
}

const PRINTED = 'printed';
const NOTHING = {
  printed: 'the agent exited with code 0 and printed nothing',
  sent: 'the agent sent nothing',
  'wrote to {OUTPUT_FILE}': 'the command wrote nothing to {OUTPUT_FILE}',
} as const;

interface FoundReply extends Pick<RawReply, 'reply' | 'warning'> {
  /** What was printed beside the reply. */
  readonly rest: string;
}

function readText(text: string): FoundReply {
  const plain = withoutColours(text);
  const blocks = findJsonBlocks(plain.trimEnd());
  for (const block of blocks) refuseBroken(block, plain);
  // An event of a known stream may have a field `output` of its own.
  const events = recognisedIn(plain, blocks);
  if (events !== undefined) return events;
  const replies = blocks.filter(({ value }) => value !== undefined && hasAnswer(value));
  if (replies.length > 1)
    throw new ReplyProblem(
      `what the agent printed contains ${replies.length} reply objects\nprint exactly one, and logs on stderr`,
    );
  const [reply] = replies;
  return reply === undefined ? asText(text, plain, blocks) : takeOut(reply, plain);
}

/** What a framework or a coding agent prints: one object or list, or a line of JSON for each thing that happened. */
function recognisedIn(text: string, blocks: readonly JsonBlock[]): FoundReply | undefined {
  const found = blocks.flatMap((block) => {
    const value = block.kind === 'list' ? listIn(text, block) : block.value;
    return value === undefined ? [] : [{ block, value }];
  });
  const last = found.at(-1);
  if (last === undefined) return undefined;
  const values = found.map(({ value }) => value);
  if (values.length > 1 && isRecognised(values))
    return {
      reply: values,
      rest: textBeside(
        text,
        found.map(({ block }) => block),
      ),
    };
  if (!isRecognised(last.value)) return undefined;
  refuseOtherCalls(values.slice(0, -1));
  return { reply: last.value, rest: textBeside(text, [last.block]) };
}

/** A reply that is printed as its last part alone would lose the calls of the others. */
function refuseOtherCalls(others: readonly Json[]): void {
  const call = findUnreadCall(others, { at: '', known: new Set() });
  if (call !== undefined)
    throw new ReplyProblem(
      `what the agent printed contains a tool call (${call.form}) outside its reply\n${WHOLE_HINT}`,
    );
}

function listIn(text: string, { start, end }: JsonBlock): Json | undefined {
  return tryParseJson(text.slice(start, end));
}

function textBeside(text: string, blocks: readonly JsonBlock[]): string {
  let rest = '';
  let end = 0;
  for (const block of blocks) {
    rest += text.slice(end, block.start).trimStart();
    end = block.end;
  }
  return rest + text.slice(end).trimStart();
}

function refuseBroken({ kind, start, end }: JsonBlock, text: string): void {
  if (kind !== 'broken_off' && kind !== 'invalid') return;
  const problem = describeBroken(text.slice(start, end), kind);
  if (problem !== undefined) throw new ReplyProblem(`what the agent printed ${problem}\n${WHOLE_HINT}`);
}

function takeOut({ start, end, value }: JsonBlock, text: string): FoundReply {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const rest = [before, after].map((part) => part.trim()).filter((part) => part !== '');
  if (rest.length === 0) return { reply: value!, rest: '' };
  return { reply: value!, rest: `${rest.join('\n')}\n`, warning: mixedOutput(before, after) };
}

/** Any other text is the answer itself, without its last newline: prose, or JSON of a shape of its own. */
function asText(text: string, plain: string, blocks: readonly JsonBlock[]): FoundReply {
  refuseEvents(plain, blocks);
  for (const block of blocks) refuseFailure(block, plain);
  const last = blocks.at(-1);
  const value = last !== undefined && plain.slice(last.end).trim() === '' ? last.value : undefined;
  if (value !== undefined && isNoAnswer(value))
    throw new ReplyProblem(`what the agent printed ${describeNoAnswer(value)}\n${ANSWER_HINT}`);
  const isWhole = value !== undefined && plain.slice(0, last!.start).trim() === '';
  return {
    reply: text.replace(/\r?\n$/, ''),
    rest: '',
    warning: isWhole ? objectWarning(value) : proseWarning(plain),
  };
}

/** One object may be an answer in JSON. Several events are a stream that nobody can read. */
function refuseEvents(text: string, blocks: readonly JsonBlock[]): void {
  const events = blocks.filter(
    ({ kind, value, start }) => kind === 'object' && isEvent(value) && !isFenced(text, start),
  );
  if (events.length > 1)
    throw new ReplyProblem(
      unknownEvents(
        PRINTED,
        events.map(({ value }) => value!),
      ),
    );
}

/** An error, or nothing, with lines of a log behind it. What is in a fence of Markdown is shown to somebody. */
function refuseFailure({ start, value }: JsonBlock, text: string): void {
  if (value === undefined || !isFailure(value) || isFenced(text, start)) return;
  throw new ReplyProblem(`what the agent printed ${describeNoAnswer(value)}\n${ANSWER_HINT}`);
}

/** Whether a fence of Markdown is open here. */
function isFenced(text: string, start: number): boolean {
  return (text.slice(0, start).match(FENCE)?.length ?? 0) % 2 === 1;
}

const FENCE = /(?<=^|[\n\r])[^\S\n\r]*(?:```|~~~)/g;

/** An object with none of our fields is an answer in JSON, as agents give it that extract data. */
function isNoAnswer(value: JsonObject): boolean {
  return isFailure(value) || hasReplyField(value);
}

function isFailure(value: JsonObject): boolean {
  return Object.keys(value).length === 0 || isOnlyAnError(value);
}

function objectWarning(value: JsonObject): ReplyWarning | undefined {
  const meant = findMisnamed(value);
  return meant === undefined ? undefined : noOutput(meant);
}

function proseWarning(text: string): ReplyWarning | undefined {
  return /"(?:output|output_messages|tools_used|tool_calls)"\s*:/.test(text) ? brokenReply() : undefined;
}

const ANSWER_HINT = 'print the answer as text, or as JSON with `output`';
const WHOLE_HINT = 'print the whole reply as JSON on stdout, and logs on stderr';

/** Escape sequences are not part of any JSON. */
function withoutColours(text: string): string {
  return text.includes(ESCAPE) ? text.replaceAll(ESCAPE_SEQUENCE, '') : text;
}

const ESCAPE = String.fromCharCode(27);
const ESCAPE_SEQUENCE = new RegExp(`${ESCAPE}\\[[\\d;?]*[A-Za-z]`, 'g');
