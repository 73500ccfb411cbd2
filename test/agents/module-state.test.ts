import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

/** Two tests of each of three files. The second test of a file sees what the first one left. */
const SUITE = ['a', 'b']
  .map((id) => `- { id: ${id}, input: ${id}, assert: { output.includes: "own:" } }`)
  .join('\n');
const SUITES = { '1.test.yaml': SUITE, '2.test.yaml': SUITE, '3.test.yaml': SUITE };
const FILES = {
  'node_modules/dep/package.json': '{ "name": "dep", "main": "i.js" }',
  'node_modules/dep/i.js': 'let n = 0; exports.dep = () => ++n;',
};
const REPLY = '{ output: `own:${++own} left:${left()} right:${right()} dep:${dep()}`, tools_used: [] }';
/** The same state by two ways: within a file it is one. */
const WAYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'agent.mjs': {
    'agent.mjs': `import { left } from './left.mjs'; import { right } from './right.mjs'; import { dep } from 'dep';
      let own = 0; export const agent = () => (${REPLY});`,
    'left.mjs': `import { next } from './state.mjs'; export const left = next;`,
    'right.mjs': `export { next as right } from './state.mjs';`,
    'state.mjs': 'let n = 0; export const next = () => ++n;',
  },
  'agent.ts': {
    'agent.ts': `import { left } from './left'; import { right } from './right'; import { dep } from 'dep';
      let own: number = 0; export const agent = () => (${REPLY});`,
    'left.ts': `import { next } from './state'; export const left = next;`,
    'right.ts': `export { next as right } from './state';`,
    'state.ts': 'let n: number = 0; export const next = () => ++n;',
  },
  'agent.cjs': {
    'agent.cjs': `const { left } = require('./left.cjs'); const { right } = require('./right.cjs'); const { dep } = require('dep');
      let own = 0; exports.agent = () => (${REPLY});`,
    'left.cjs': `exports.left = require('./state.cjs').next;`,
    'right.cjs': `exports.right = require('./state.cjs').next;`,
    'state.cjs': 'let n = 0; exports.next = () => ++n;',
  },
  'agent.js': {
    'package.json': '{ "type": "commonjs" }',
    'agent.js': `const { left } = require('./left'); const { right } = require('./right'); const { dep } = require('dep');
      let own = 0; module.exports = () => (${REPLY});`,
    'left.js': `exports.left = require('./state').next;`,
    'right.js': `exports.right = require('./state').next;`,
    'state.js': 'let n = 0; exports.next = () => ++n;',
  },
};

test.each(Object.keys(WAYS))(
  'the modules of %s are reloaded for each test file; packages are not',
  async (agent) => {
    const project = createProject({ ...SUITES, ...FILES, ...WAYS[agent] });
    const args = ['run', '--agent', `./${agent}`, '--reporter', 'json', '--no-record'];
    const { stdout, stderr } = await runCli(args, { cwd: project.path });
    project.remove();
    expect(stderr).toBe('');
    const outputs = JSON.parse(stdout).results.map(
      ({ steps }: { steps: { output: string }[] }) => steps[0]!.output,
    );
    expect(outputs).toEqual([
      'own:1 left:1 right:2 dep:1',
      'own:2 left:3 right:4 dep:2',
      'own:1 left:1 right:2 dep:3',
      'own:2 left:3 right:4 dep:4',
      'own:1 left:1 right:2 dep:5',
      'own:2 left:3 right:4 dep:6',
    ]);
  },
);

test('files that run concurrently each have an instance, and errors name the file', async () => {
  const project = createProject({
    ...SUITES,
    'agent.mjs': `
      export const workers = 6;
      let own = 0;
      export async function agent(input, memory, { test }) {
        const number = ++own;
        await new Promise((done) => setTimeout(done, 50));
        if (test.file === '3.test.yaml') throw new Error('boom');
        return { output: \`own:\${number} of \${own}\`, tools_used: [] };
      }`,
  });
  const args = ['run', '--agent', './agent.mjs', '--reporter', 'json', '--no-record'];
  const { stdout } = await runCli(args, { cwd: project.path });
  project.remove();
  const { results } = JSON.parse(stdout);
  const ofFile = (name: string) => results.filter(({ file }: { file: string }) => file === name);
  for (const name of ['1.test.yaml', '2.test.yaml'])
    expect(
      ofFile(name)
        .map(({ steps }: { steps: { output: string }[] }) => steps[0]!.output)
        .sort(),
    ).toEqual(['own:1 of 2', 'own:2 of 2']);
  expect(ofFile('3.test.yaml')[0].error.message).toMatch(/boom\n.*agent\.mjs:7:/);
});
