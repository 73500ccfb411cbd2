import { ownValue, type JsonObject } from '../../base/model/json.ts';
import type { Entry } from '../entry.ts';
import { readArguments, readOutput, textAt, valueAt } from '../foreign-fields.ts';
import { type MessageDialect, eachMessage } from './dialect.ts';
import { assistantEntries, NOTHING, readPieces, unknownEntry, userEntries, type Piece } from './pieces.ts';

/** Entries of Mistral's conversations. The SDK for JavaScript writes `toolCallId`. */
export const MISTRAL_ENTRIES: MessageDialect = {
  name: 'Mistral conversation entries',
  recognises: (entries) => entries.some((entry) => MARKED.has(textAt(entry, 'type') ?? '')),
  read: (entries, at) => joinSaid(eachMessage(readEntry)(entries, at)),
};

const MARKED: ReadonlySet<string> = new Set([
  'message.input',
  'message.output',
  'function.call',
  'function.result',
  'tool.execution',
  'agent.handoff',
]);

function readEntry(entry: JsonObject, at: string): readonly Entry[] {
  const content = readPieces(ownValue(entry, 'content'), `${at}.content`, readPart);
  const id = textAt(entry, 'tool_call_id', 'toolCallId');
  const tool = textAt(entry, 'name') ?? 'unknown';
  const input = readArguments(valueAt(entry, 'arguments'));
  switch (textAt(entry, 'type')) {
    case 'message.output':
      return assistantEntries(content);
    case 'function.call':
      return [{ kind: 'assistant', calls: [{ tool, id, input }] }];
    case 'function.result':
      return [{ kind: 'result', id, output: readOutput(valueAt(entry, 'result')) }];
    case 'tool.execution': {
      const output = valueAt(entry, 'info');
      const result = output === undefined ? {} : { result: { output } };
      return [{ kind: 'assistant', calls: [{ tool, input, executed_by: 'provider', ...result }] }];
    }
    case 'agent.handoff':
      return [];
    default:
      return textAt(entry, 'role') === 'assistant'
        ? assistantEntries(content)
        : textAt(entry, 'role') === 'user'
          ? userEntries(content)
          : [unknownEntry(at, entry)];
  }
}

function readPart(part: JsonObject): Piece | undefined {
  const type = textAt(part, 'type') ?? '';
  if (type === 'text') return { text: textAt(part, 'text') };
  return UNSAID.has(type) ? NOTHING : undefined;
}

const UNSAID: ReadonlySet<string> = new Set([
  'thinking',
  'image_url',
  'document_url',
  'tool_file',
  'tool_reference',
]);

/** What the model said in a row is one message of its: calls stand beside the text. */
export function joinSaid(entries: readonly Entry[]): readonly Entry[] {
  const joined: Entry[] = [];
  for (const entry of entries) {
    const last = joined.at(-1);
    if (entry.kind === 'assistant' && last?.kind === 'assistant') {
      const texts = [last.text, entry.text].filter((text) => text !== undefined);
      const text = texts.length === 0 ? undefined : texts.join('');
      joined[joined.length - 1] = { ...last, text, calls: [...last.calls, ...entry.calls] };
    } else joined.push(entry);
  }
  return joined;
}
