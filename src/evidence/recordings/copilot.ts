import type { JsonObject } from '../../base/model/json.ts';
import { isCopilotEvent, readCopilotEvent } from '../dialects/copilot-events.ts';
import { objectAt, textAt, timeAt } from '../foreign-fields.ts';
import { kept } from './claude-code.ts';
import { Conversation } from './conversation.ts';
import type { RecordingFormat } from './recording.ts';

/** A session of Copilot CLI: `~/.copilot/session-state/ID/events.jsonl`. It tells no tokens of single turns. */
export const COPILOT: RecordingFormat = {
  name: 'copilot',
  title: 'a Copilot session',
  recognises: (values) => values.some((value) => isStart(value) || isCopilotEvent(value)),
  open(context) {
    const conversation = new Conversation('anywhere');
    const seen = new Set<string>();
    let session: JsonObject | undefined;
    return {
      add(value, line) {
        const id = textAt(value, 'id');
        // A session that goes on may repeat what was there.
        if (id !== undefined && seen.has(id)) return;
        if (id !== undefined) seen.add(id);
        if (isStart(value)) session ??= objectAt(value, 'data');
        const calls = textAt(value, 'type') === 'assistant.message' ? 1 : undefined;
        if (calls !== undefined) conversation.tell({ modelCalls: calls });
        conversation.add(readCopilotEvent(value), { line, at_ms: timeAt(value, 'timestamp') });
      },
      end() {
        const turns = conversation.finish();
        const about = session ?? {};
        if (turns.length === 0) return [];
        return [
          {
            id: textAt(about, 'sessionId') ?? context.name,
            target: 'copilot',
            line: 1,
            turns,
            metadata: {
              ...kept(about, 'copilotVersion'),
              ...kept(objectAt(about, 'context') ?? {}, 'cwd', 'branch', 'repository'),
            },
          },
        ];
      },
    };
  },
};

function isStart(event: JsonObject): boolean {
  const data = objectAt(event, 'data');
  return (
    textAt(event, 'type') === 'session.start' &&
    textAt(data, 'sessionId') !== undefined &&
    (textAt(data, 'copilotVersion') !== undefined || textAt(data, 'producer') === 'copilot-agent')
  );
}
