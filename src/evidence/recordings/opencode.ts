import { ownValue, type JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import { readCall, tokensOf } from '../dialects/opencode-events.ts';
import { unknownEntry } from '../dialects/pieces.ts';
import type { Entry } from '../entry.ts';
import { numberAt, objectAt, textAt, objectsAt } from '../foreign-fields.ts';
import { Conversation } from './conversation.ts';
import { readEach, type Recording, type RecordingFormat } from './recording.ts';

/** What `opencode export` writes. Tokens stand on messages, on parts and on the session: those of messages count. */
export const OPENCODE: RecordingFormat = {
  name: 'opencode',
  title: 'an opencode export',
  recognises: ([first]) =>
    first !== undefined &&
    textAt(objectAt(first, 'info'), 'id') !== undefined &&
    objectsAt(first, 'messages').some((message) => 'info' in message && 'parts' in message),
  open: readEach((session, line) => [readSession(session, line)]),
};

function readSession(session: JsonObject, line: number): Recording {
  const info = objectAt(session, 'info') ?? {};
  const conversation = new Conversation();
  for (const [index, message] of objectsAt(session, 'messages').entries()) {
    const about = objectAt(message, 'info') ?? {};
    const time = objectAt(about, 'time') ?? {};
    const entries = entriesOf(message, about, index);
    conversation.add(entries, { line, at_ms: numberAt(time, 'created') });
    conversation.add([], { line, at_ms: numberAt(time, 'completed') });
    if (textAt(about, 'role') === 'assistant') conversation.tell({ cost_usd: numberAt(about, 'cost') });
  }
  return {
    id: textAt(info, 'id')!,
    target: 'opencode',
    line,
    description: textAt(info, 'title'),
    turns: conversation.finish(),
    metadata: { version: ownValue(info, 'version') ?? null },
  };
}

function entriesOf(message: JsonObject, about: JsonObject, index: number): readonly Entry[] {
  const parts = objectsAt(message, 'parts');
  const texts = parts
    .filter((part) => textAt(part, 'type') === 'text' && ownValue(part, 'synthetic') !== true)
    .map((part) => textAt(part, 'text') ?? '');
  if (textAt(about, 'role') === 'user') return [{ kind: 'user', text: unquoted(texts.join('\n')) }];
  const unknown = parts
    .filter((part) => !KNOWN.has(textAt(part, 'type') ?? ''))
    .map((part) => unknownEntry(`messages[${index}].parts`, part));
  const calls = parts.flatMap((part) => {
    if (textAt(part, 'type') !== 'tool') return [];
    const start = numberAt(objectAt(objectAt(part, 'state'), 'time'), 'start');
    const call = readCall(part);
    return call === undefined ? [] : [{ ...call, asked_ms: start }];
  });
  const said: Entry = {
    kind: 'assistant',
    id: textAt(about, 'id'),
    text: texts.length === 0 ? undefined : texts.join(''),
    model: textAt(about, 'modelID'),
    calls,
    usage: withoutZero(tokensOf(objectAt(about, 'tokens'))),
  };
  return [said, ...unknown];
}

const KNOWN: ReadonlySet<string> = new Set([
  'text',
  'tool',
  'reasoning',
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'file',
  'agent',
  'compaction',
  'retry',
]);

/** Models that do not reason have the figure too. */
function withoutZero(usage: TokenUsage | undefined): TokenUsage | undefined {
  if (usage?.reasoning !== 0) return usage;
  const { reasoning: _, ...rest } = usage;
  return rest;
}

/** `opencode run` writes what it was given in quotes. */
function unquoted(text: string): string {
  return /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text;
}
