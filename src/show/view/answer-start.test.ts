import { expect, test } from 'vitest';
import { answerStart } from './answer-start.ts';

const lineOf = (...steps: readonly object[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      id: 'a',
      test: '"steps":[ "output":"no"',
      steps,
      assertions: [{ output: 'no' }],
      retries: 0,
    }),
  );
const answerOf = (...steps: readonly object[]): string | undefined => answerStart(lineOf(...steps));

test('the answer is the output of the last step that has one', () => {
  expect(answerOf({ output: 'first' }, { output: 'second' }, { input: 'unanswered' })).toBe('second');
  expect(answerOf({ input: 'x' })).toBeUndefined();
  expect(answerOf()).toBeUndefined();
  expect(answerOf({ output: ' \n ' })).toBeUndefined();
});

test('nothing inside the step is mistaken for its output', () => {
  const calls = [
    {
      tool: 'output',
      output: 'of a tool',
      input: { output: { output: ['deep'] } },
    },
  ];
  const said = {
    tool_calls: calls,
    memory: { output: 'kept' },
    input: '{"output":"no"},{"output":"no',
  };
  expect(answerOf({ ...said })).toBeUndefined();
  expect(answerOf({ output: 'yes', ...said })).toBe('yes');
  const metadata = { more: 1, steps: [{ output: 'of the author' }] };
  const line = JSON.stringify({
    id: 'a',
    metadata,
    steps: [{ output: 'yes' }],
    assertions: [],
  });
  expect(answerStart(Buffer.from(line))).toBe('yes');
  expect(
    answerOf({
      ...said,
      output: 'a "quoted\\" \\\\ answer',
      tools_used: ['output'],
    }),
  ).toBe('a "quoted\\" \\\\ answer');
});

test('long answers are cut, wherever the cut falls', () => {
  for (let length = 0; length < 14; length++) {
    for (const unit of ['👩‍👧 ', '\\"', '\u0001', 'é', '﷽x', '\ud800']) {
      const text = answerOf({ output: 'a'.repeat(length) + unit.repeat(3000) });
      expect(text?.length).toBeLessThanOrEqual(180);
      expect(text).toMatch(/^a*[^�]*…$/u);
    }
  }
  expect(answerOf({ output: 'one\n\n\n  two\t\tthree \r\n four' })).toBe('one\ntwo three\nfour');
});

test('a damaged line has no answer', () => {
  const line = lineOf({ output: 'an answer' });
  for (let end = 0; end < line.length; end += 7) {
    const cut = answerStart(line.subarray(0, end));
    expect(cut === undefined || cut === 'an answer').toBe(true);
  }
});
