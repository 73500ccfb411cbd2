import { expect, test } from 'vitest';
import type { JsonObject } from '../../../base/model/json.ts';
import { recognisesPromptfoo } from './recognise-promptfoo.ts';

const recognises = (value: JsonObject, path = 'suite.yaml'): boolean =>
  recognisesPromptfoo({ path, text: '', value } as Parameters<typeof recognisesPromptfoo>[0]);

test("a file with prompts and providers is promptfoo's, unless its tests have ids as AgentV's do", () => {
  const config = { prompts: ['{{ input }}'], providers: ['llm'] };
  expect(recognises({ ...config, tests: [{ vars: { input: 'x' } }] })).toBe(true);
  expect(recognises({ ...config, tests: [{ id: 'a', vars: { input: 'x' } }] })).toBe(false);
  expect(recognises({ ...config, tests: [{ id: 'a' }] }, 'promptfooconfig.yaml')).toBe(true);
  expect(recognises({ ...config, name: 'a', tests: './cases.jsonl' })).toBe(false);
  expect(recognises({ prompts: ['a'], defaultTest: {}, tests: [{ vars: {} }] })).toBe(true);
});
