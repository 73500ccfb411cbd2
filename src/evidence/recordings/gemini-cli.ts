import { isJsonList, isJsonObject, ownValue, type JsonObject } from '../../base/model/json.ts';
import type { AskedCall, Entry } from '../entry.ts';
import { listAt, objectAt, readOutput, textAt, timeAt, valueAt, objectsAt } from '../foreign-fields.ts';
import { countAt, inclusiveUsage } from '../provider-usage.ts';
import { readPieces, userEntries, NOTHING } from '../dialects/pieces.ts';
import { Conversation } from './conversation.ts';
import type { ReaderContext, Recording, RecordingFormat, RecordingReader } from './recording.ts';

/**
 * A session of Gemini CLI: `~/.gemini/tmp/FOLDER/chats/session-*.jsonl`, or `.json` of older versions. A message that is written
 * again with the same id replaces the earlier one.
 */
export const GEMINI_CLI: RecordingFormat = {
  name: 'gemini-cli',
  title: 'a Gemini CLI session',
  recognises: ([first]) =>
    first !== undefined &&
    textAt(first, 'sessionId') !== undefined &&
    textAt(first, 'projectHash') !== undefined,
  open: (context) => new GeminiCliReader(context),
};

interface Said {
  readonly message: JsonObject;
  readonly line: number;
}

class GeminiCliReader implements RecordingReader {
  private session: JsonObject | undefined;
  /** By their ids, in the order in which they came. */
  private readonly messages = new Map<string, Said>();
  private readonly context: ReaderContext;

  constructor(context: ReaderContext) {
    this.context = context;
  }

  add(value: JsonObject, line: number): void {
    if ('sessionId' in value) this.session ??= value;
    const told = [...objectsAt(value, 'messages'), ...objectsAt(objectAt(value, '$set'), 'messages')];
    // A list of all messages repeats those that are known, in another form.
    for (const message of told) if (!this.messages.has(textAt(message, 'id') ?? '')) this.put(message, line);
    if (textAt(value, 'type') !== undefined) this.put(value, line);
  }

  private put(message: JsonObject, line: number): void {
    const id = textAt(message, 'id') ?? `line ${line}`;
    this.messages.set(id, { message, line: this.messages.get(id)?.line ?? line });
  }

  end(): readonly Recording[] {
    const conversation = new Conversation('anywhere');
    for (const { message, line } of this.messages.values())
      conversation.add(entriesOf(message, line), { line, at_ms: timeAt(message, 'timestamp') });
    const turns = conversation.finish();
    if (turns.length === 0) return [];
    const id = textAt(this.session, 'sessionId') ?? this.context.name;
    return [{ id, target: 'gemini-cli', line: 1, turns }];
  }
}

function entriesOf(message: JsonObject, line: number): readonly Entry[] {
  const content = readPieces(ownValue(message, 'content'), `line ${line}`, (part) => {
    const text = textAt(part, 'text');
    return text === undefined ? NOTHING : { text };
  });
  switch (textAt(message, 'type')) {
    case 'user':
      // Results of tools come back in a message of the user: they stand beside the calls already.
      return content.text === undefined ? [] : userEntries(content);
    case 'gemini':
    case 'assistant': {
      return [
        {
          kind: 'assistant',
          id: textAt(message, 'id'),
          text: content.text,
          model: textAt(message, 'model'),
          calls: objectsAt(message, 'toolCalls').map(callOf),
          usage: usageOf(objectAt(message, 'tokens')),
        },
      ];
    }
    default:
      // What the program shows: info, error, warning.
      return [];
  }
}

function usageOf(tokens: JsonObject | undefined): ReturnType<typeof inclusiveUsage> {
  const thoughts = countAt(tokens, 'thoughts') ?? 0;
  const output = countAt(tokens, 'output');
  const prompt = countAt(tokens, 'input');
  return inclusiveUsage({
    prompt: prompt === undefined ? undefined : prompt + (countAt(tokens, 'tool') ?? 0),
    cached: countAt(tokens, 'cached'),
    output: output === undefined ? undefined : output + thoughts,
    reasoning: thoughts || undefined,
  });
}

function callOf(call: JsonObject): AskedCall {
  const status = textAt(call, 'status');
  const result = ownValue(call, 'result');
  const [first] = isJsonList(result) ? result : [];
  const response = isJsonObject(first)
    ? objectAt(objectAt(first, 'functionResponse'), 'response')
    : undefined;
  const output = response === undefined ? undefined : (valueAt(response, 'output', 'error') ?? response);
  const failed = status === 'error' || (response !== undefined && 'error' in response);
  return {
    tool: textAt(call, 'name') ?? '',
    id: textAt(call, 'id'),
    input: objectAt(call, 'args') ?? {},
    asked_ms: undefined,
    ...(status === undefined && listAt(call, 'result') === undefined
      ? {}
      : { result: { output: readOutput(output), ...(failed ? { status: 'error' } : {}) } }),
  };
}
