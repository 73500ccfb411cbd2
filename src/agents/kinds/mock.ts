import type { Json } from '../../base/model/json.ts';
import { byType } from '../../base/schema/by-type.ts';
import { duration } from '../../base/schema/duration.ts';
import { list } from '../../base/schema/list.ts';
import { object } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { given, refine } from '../../base/schema/refine.ts';
import { anyJson, text } from '../../base/schema/values.ts';
import { COMMON, NO_BATCHES, providerOf, words } from './target-fields.ts';
import { defineTargetKind } from './target-kind.ts';

const delay = duration();

/** `provider: mock`: an agent with fixed replies. */
export const mock = defineTargetKind({
  name: 'mock',
  providers: ['mock'],
  schema: refine(
    object(
      {
        ...COMMON,
        provider: { schema: words, doc: '`mock`.' },
        response: {
          schema: byType({ string: text(), object: anyJson('reply') }),
          doc: 'The answer to every request.',
        },
        replies: { schema: list(anyJson()), doc: 'An answer for each step; the last repeats.' },
        delayMs: { schema: delay, doc: 'How long each answer takes.' },
        delayMinMs: {
          schema: delay,
          doc: 'With `delayMaxMs`: each answer takes a random time between the two.',
        },
        delayMaxMs: { schema: delay, doc: 'See `delayMinMs`.' },
        ...NO_BATCHES,
      },
      {
        what: 'a mock target',
        refused: { with: 'a mock target reads no settings: remove it' },
        ignored: { trace: 'write the tool calls into `response`, as a reply: { output, tool_calls }' },
      },
    ),
    checkResponse,
  ),
  matches: (target) => providerOf(target) === 'mock',
  async create(target) {
    const { createMockAgent } = await import('../mock-agent.ts');
    return createMockAgent(target);
  },
  examples: [
    { name: 'mock', provider: 'mock', response: 'Hello' },
    { name: 'mock', provider: 'mock', replies: [{ output: 'One', tools_used: ['echo_tool'] }, 'Two'] },
  ],
});

function checkResponse(target: Json, reader: Reader): void {
  if (given(target, 'response') || given(target, 'replies')) return;
  reader.warning({
    code: 'missing_response',
    message: 'a mock target without `response` answers every step with the same text',
    hint: 'add `response` or `replies`',
  });
}
