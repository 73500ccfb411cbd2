import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { recognisesPromptfoo } from './recognise-promptfoo.ts';

const recognises = (value: JsonObject, path = 'suite.yaml'): boolean =>
  recognisesPromptfoo({ path, text: '', value } as Parameters<typeof recognisesPromptfoo>[0]);

test('prompts and providers are of promptfoo, unless the tests have ids as those of AgentV do', () => {
  const config = { prompts: ['{{ input }}'], providers: ['llm'] };
  expect(recognises({ ...config, tests: [{ vars: { input: 'x' } }] })).toBe(true);
  expect(recognises({ ...config, tests: [{ id: 'a', vars: { input: 'x' } }] })).toBe(false);
  expect(recognises({ ...config, tests: [{ id: 'a' }] }, 'promptfooconfig.yaml')).toBe(true);
});
