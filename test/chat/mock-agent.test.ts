import { expect, test } from 'vitest';
import { createMockAgent } from '../../src/agents/mock-agent.ts';
import type { Session } from '../../src/agents/contract.ts';

const request = {
  input: 'x',
  input_messages: [],
  memory: {},
  settings: {},
  test: { id: 't', file: 'f' },
  step: 1,
  attempt: 1,
  messages: [],
  conversation_id: 'c1',
};
const { signal } = new AbortController();

async function ask(session: Session, times: number): Promise<readonly unknown[]> {
  const replies: unknown[] = [];
  for (let i = 0; i < times; i++) replies.push((await session.send(request, signal)).reply);
  return replies;
}

test('gives the same response for every step', async () => {
  const agent = createMockAgent({ name: 'mock', response: { output: 'Hi', memory: { a: 1 } } });
  expect(await ask(await agent.open({ id: 't', file: 'f' }), 2)).toEqual([
    { output: 'Hi', memory: { a: 1 } },
    { output: 'Hi', memory: { a: 1 } },
  ]);
});

test('gives its replies in order, repeats the last, and starts again for each session', async () => {
  const agent = createMockAgent({ name: 'mock', replies: ['one', { output: 'two' }] });
  const [first, second] = [
    await agent.open({ id: 't', file: 'f' }),
    await agent.open({ id: 'u', file: 'f' }),
  ];
  expect(await ask(first, 3)).toEqual(['one', { output: 'two' }, { output: 'two' }]);
  expect(await ask(second, 1)).toEqual(['one']);
});

test.each([[{ response: 'a', replies: ['b'] }], [{ replies: [] }]])(
  'a config with both settings, or with an empty list, is an error: %j',
  (config) => {
    expect(() => createMockAgent({ name: 'mock', ...config })).toThrow('the target "mock"');
  },
);

test('a mock without a response is an error', async () => {
  const session = await createMockAgent({ name: 'mock' }).open({ id: 't', file: 'f' });
  expect(await ask(session, 2)).toEqual(Array(2).fill(expect.stringContaining('mock')));
});

test('a delayed answer ends with its signal', async () => {
  const session = await createMockAgent({ name: 'mock', response: 'late', delayMs: 3_600_000 }).open({
    id: 't',
    file: 'f',
  });
  const stop = new AbortController();
  const answer = Promise.resolve(session.send(request, stop.signal));
  stop.abort();
  await expect(answer).rejects.toThrow('stopped');
  const soon = await createMockAgent({ name: 'mock', response: 'soon', delayMinMs: 1, delayMaxMs: 3 }).open({
    id: 't',
    file: 'f',
  });
  expect(await ask(soon, 2)).toEqual(['soon', 'soon']);
});
