import { ownValue, type JsonObject } from '../../base/model/json.ts';
import type { Entry } from '../entry.ts';
import { numberAt, objectAt, readOutput, textAt, valueAt, objectsAt } from '../foreign-fields.ts';
import { Conversation } from './conversation.ts';
import type { Recording, RecordingFormat } from './recording.ts';

/** A transcript of AgentV: a message per line, with the test it belongs to. Calls have their results. */
export const AGENTV_TRANSCRIPT: RecordingFormat = {
  name: 'agentv-transcript',
  title: 'an AgentV transcript',
  isSpread: true,
  recognises: ([first]) =>
    first !== undefined && 'test_id' in first && 'message_index' in first && 'role' in first,
  open() {
    let open:
      | { readonly first: JsonObject; readonly line: number; readonly conversation: Conversation }
      | undefined;
    const close = (): readonly Recording[] => (open === undefined ? [] : [toRecording(open)]);
    return {
      add(value, line) {
        const isSame =
          open !== undefined &&
          ['test_id', 'target'].every((name) => textAt(value, name) === textAt(open!.first, name));
        const done = isSame ? [] : close();
        if (!isSame || open === undefined)
          open = { first: value, line, conversation: new Conversation('anywhere') };
        open.conversation.add(entriesOf(value), { line });
        open.conversation.tell({ model: textAt(objectAt(value, 'source'), 'model') });
        return done;
      },
      end: close,
    };
  },
};

function toRecording({
  first,
  line,
  conversation,
}: {
  readonly first: JsonObject;
  readonly line: number;
  readonly conversation: Conversation;
}): Recording {
  return {
    id: textAt(first, 'test_id') ?? `line ${line}`,
    target: textAt(first, 'target') ?? 'agentv',
    line,
    turns: conversation.finish(),
    duration_ms: numberAt(first, 'transcript_duration_ms'),
    cost_usd: numberAt(first, 'transcript_cost_usd'),
    metadata: objectAt(first, 'source'),
  };
}

function entriesOf(message: JsonObject): readonly Entry[] {
  const text = textAt(message, 'content');
  switch (textAt(message, 'role')) {
    case 'user':
      return [{ kind: 'user', text: text ?? '' }];
    case 'assistant':
      return [
        {
          kind: 'assistant',
          text,
          calls: objectsAt(message, 'tool_calls').map((call) => ({
            tool: textAt(call, 'tool') ?? '',
            id: textAt(call, 'id'),
            input: valueAt(call, 'input'),
            ...('output' in call ? { result: { output: readOutput(ownValue(call, 'output')) } } : {}),
          })),
        },
      ];
    case 'system':
      return [];
    default:
      return [{ kind: 'result', tool: textAt(message, 'name'), output: readOutput(text) }];
  }
}
