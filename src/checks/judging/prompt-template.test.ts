import { expect, test } from 'vitest';
import { promptProblem } from './build-prompt.ts';
import { fillPrompt } from './prompt-template.ts';

const OWN = new Map([
  ['question', 'Q'],
  ['candidate_answer', 'A {{tone}} {{question}}'],
]);

test('in a test without variables, braces keep their old meaning', () => {
  expect(fillPrompt(String.raw`\{{question}} {{tone}} {{`, OWN, undefined)).toMatchObject({
    text: String.raw`\Q {{tone}} {{`,
    unknown: ['tone'],
  });
});

test('variables of the judge win, and no value of the test or the agent is read as a template', () => {
  const vars = { tone: '{{candidate_answer}}', question: 'mine', deep: { a: [1] } };
  const { text, used, unknown } = fillPrompt(
    String.raw`{{tone}} {{question}} {{ candidate_answer }} {{deep.a}} \{{tone}}`,
    OWN,
    vars,
  );
  expect(text).toBe('{{candidate_answer}} Q A {{tone}} {{question}} [1] {{tone}}');
  expect([...used]).toEqual(['question', 'candidate_answer']);
  expect(unknown).toEqual([]);
});

test("only a variable of the judge shows the agent's answer, not one of the test or an escaped one", () => {
  const vars = { tone: '{{candidate_answer}}' };
  expect(promptProblem('{{tone}}', vars)?.code).toBe('prompt_without_answer');
  expect(promptProblem(String.raw`\{{candidate_answer}}`, vars)?.code).toBe('prompt_without_answer');
  expect(promptProblem('{{candidate_answer}} {{ton}}', vars)).toEqual({
    code: 'unknown_variable',
    message: 'there is no variable `ton`',
  });
  expect(promptProblem('{{candidate_answer}} {{tone}}', vars)).toBeUndefined();
});
