import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { RECORDINGS } from './recordings.ts';

/** What each stack returns, and a claim about it that is wrong: it must never pass. */
const STACKS = RECORDINGS.filter(({ value }) => typeof value === 'object');

test('no wrong claim about what a framework returned passes', async () => {
  const project = createProject({
    'values.json': JSON.stringify(STACKS.map(({ value }) => value)),
    'agent.mjs': `
      import { readFileSync } from 'node:fs';
      const values = JSON.parse(readFileSync(new URL('./values.json', import.meta.url), 'utf8'));
      export const agent = (input) => values[Number(/^\\d+/.exec(input)[0])];`,
    'a.test.json': JSON.stringify(
      STACKS.flatMap(({ id, expected }, index) => {
        const known = expected.tool_calls ?? [];
        const claims: readonly (readonly [string, object])[] = [
          [
            'a tool that nobody called',
            { type: 'tool_trajectory', mode: 'in_order', expected: [{ tool: 'no_such_tool' }] },
          ],
          ['another answer', { type: 'equals', value: 'Nobody said this.' }],
          ...(known.length === 0
            ? []
            : [['no tools', { type: 'tool_trajectory', mode: 'exact', expected: [] }] as const]),
          ['no tokens', { type: 'token_usage', max_total: 0 }],
        ];
        return claims.map(([name, claim]) => ({
          id: `${index} ${id}: ${name}`,
          steps: [{ input: `${index}`, assert: [claim] }],
        }));
      }),
    ),
  });
  const { stdout, stderr } = await runCli(
    ['run', '--agent', './agent.mjs', '--reporter', 'json', '--no-record'],
    {
      cwd: project.path,
    },
  );
  project.remove();
  if (!stdout.startsWith('{')) throw new Error(stderr);
  const { results } = JSON.parse(stdout) as { results: readonly { test: string; verdict: string }[] };
  expect(results.length).toBeGreaterThan(3 * STACKS.length - 1);
  expect(results.filter(({ verdict }) => verdict === 'passed').map(({ test: id }) => id)).toEqual([]);
});

test('an object that Assay cannot read is named with the line that helps', async () => {
  const project = createProject({
    'agent.mjs': `
      class Network {
        constructor() { this.name = 'net'; this._agents = new Map(); this.state = {}; this.router = () => {}; }
        toString() { return 'Hi'; }
      }
      class Answer { constructor() { this.answer = 'Hi'; this.cache = new Map(); this.close = () => {}; } }
      export const agent = (input) => (input === 'known' ? new Network() : new Answer());`,
    'a.test.json': JSON.stringify(
      ['known', 'unknown'].map((input) => ({ id: input, input, assert: { 'output.includes': 'Hi' } })),
    ),
  });
  const { stdout } = await runCli(['run', '--agent', './agent.mjs', '--reporter', 'json', '--no-record'], {
    cwd: project.path,
  });
  project.remove();
  const messages = JSON.parse(stdout).results.map((result: any) => JSON.stringify(result));
  expect(messages[0]).toContain('an object (Network) that Assay cannot read');
  expect(messages[0]).toContain(
    'this is a network of AgentKit that has not run: `return await network.run(input)`',
  );
  expect(messages[1]).toContain('return its text: `return result.answer`');
  for (const message of messages) expect(message).not.toMatch(/toString|is a Map|is a function/);
});
