import { expect, test } from 'vitest';
import type { Message } from '../base/model/message.ts';
import { messageGroups } from './message-groups.ts';

/** Messages of an agent, each with the tools it called at the same time. */
function groups(messages: readonly (readonly string[] | undefined)[] | undefined, calls: readonly string[]) {
  const output_messages = messages?.map((tools): Message => ({
    role: 'assistant',
    content: '',
    ...(tools === undefined ? {} : { tool_calls: tools.map((tool) => ({ tool, input: {} })) }),
  }));
  return messageGroups(
    { output: '', output_messages },
    calls.map((tool) => ({ tool })),
  );
}

test('calls of one message are one group', () => {
  expect(groups([['a', 'b'], undefined, [], ['c']], ['a', 'b', 'c'])).toEqual([
    { start: 0, end: 2 },
    { start: 2, end: 3 },
  ]);
  expect(groups([undefined], [])).toEqual([]);
});

test('groups are unknown if the messages have other calls, fewer, more, or none', () => {
  expect(groups(undefined, ['a'])).toBeUndefined();
  expect(groups([['a']], ['b'])).toBeUndefined();
  expect(groups([['a', 'b']], ['a', 'c'])).toBeUndefined();
  expect(groups([['b', 'a']], ['a', 'b'])).toBeUndefined();
  expect(groups([['a']], ['a', 'b'])).toBeUndefined();
  expect(groups([['a'], ['b']], ['a'])).toBeUndefined();
});

test('a call that is not an object does not count', () => {
  const output_messages = [
    { role: 'assistant', content: '', tool_calls: ['a'] },
  ] as unknown as readonly Message[];
  expect(messageGroups({ output: '', output_messages }, [{ tool: 'a' }])).toBeUndefined();
});
