import { expect, test } from 'vitest';
import { defineConfig } from './config.ts';
import { readTarget } from './read-target.ts';

test('the config type accepts a target of every kind and rejects unknown fields', () => {
  const { targets } = defineConfig({
    agent: (input) => input,
    targets: [
      { name: 'a', agent: './a.ts', workers: 3 },
      { name: 'b', agent: (input, memory, { step }) => ({ output: input + step, memory }) },
      { name: 'c', command: ['./agent'] },
      { name: 'd', command: './agent {PROMPT}' },
      { name: 'e', command_template: './agent', healthcheck: { command: 'true' }, provider_batching: true },
      { name: 'f', url: 'http://127.0.0.1:8000', healthcheck: '/health', body: { text: '{{input}}' } },
      { name: 'g', provider: 'openai', model: 'm', tools: [{ name: 't', replies: [{ return: 1 }] }] },
      { name: 'h', provider: 'mock', response: 'Hello', delayMs: 3 },
    ],
  });
  expect(targets!.map((target) => readTarget(target)!.kind.name)).toEqual([
    'function file',
    'function file',
    'command',
    'template',
    'template',
    'url',
    'chat',
    'mock',
  ]);
  // @ts-expect-error -- a misspelled key
  defineConfig({ targets: [{ name: 'a', comand: ['./agent'] }] });
});
