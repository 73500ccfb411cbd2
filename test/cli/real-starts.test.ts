import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/options.ts';
import { createProject, startCli, type Project } from '../project.ts';

/* Most tests run commands in a process that ran others before. Here each command has its own, as users start it. */

const SUITE = 'tests: [{ id: a, input: hi, expected_output: hi, evaluators: [{ type: match }] }]\n';
const CHAT = '{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]}\n';
const AGENT = ['--agent', './agent.mjs'];

let project: Project;
beforeAll(async () => {
  project = createProject({
    'a.test.yaml': SUITE,
    'agent.mjs': 'export default (input) => input;\n',
    'chat.jsonl': CHAT,
  });
  await startCli(['run', ...AGENT], { cwd: project.path });
});
afterAll(() => project.remove());

interface Start {
  readonly args: readonly string[];
  readonly exitCode?: number;
  readonly says: string;
}

const STARTS: Readonly<Record<string, Start>> = {
  run: { args: AGENT, says: '1 passed' },
  validate: { args: [], says: '1 file, 1 test: no problems' },
  show: { args: [], says: 'a.test.yaml' },
  report: { args: ['--json', '-'], says: '"passed":1' },
  compare: { args: ['latest', 'latest'], says: '1 test' },
  grade: { args: [], says: '1 passed' },
  // Its advice on so small a suite.
  check: { args: [], exitCode: 1, says: '1 test' },
  convert: { args: ['a.test.yaml', '--to', 'dataset', '-o', 'out.jsonl'], says: 'out.jsonl' },
  merge: { args: [], exitCode: 2, says: 'which runs?' },
  baseline: { args: ['update'], says: 'assay-baseline.json: 1 test: 1 new' },
  cassettes: { args: [], says: '0 cassettes' },
  'judge-check': { args: [], exitCode: 2, says: 'takes one file of labelled examples' },
  import: { args: ['chat.jsonl'], says: '1 not graded' },
  promote: { args: ['latest', '--failed'], exitCode: 2, says: 'nothing failed in the run' },
  export: { args: ['latest', '--to', 'jsonl'], says: '"' },
  prepare: { args: [], exitCode: 2, says: 'takes a test and a folder' },
  prune: { args: ['--keep', '5'], says: '0 runs removed' },
  schema: { args: ['eval'], says: '"$schema"' },
  completion: { args: ['bash'], says: 'complete' },
  init: { args: ['fresh', '--yes'], says: 'Next: npx assay run fresh' },
};

/** They run until they are stopped: the tests in their folders start them. */
const SERVERS = ['lsp', 'mcp', 'view', 'watch', 'worker'];

test('no command is forgotten', () => {
  expect([...Object.keys(STARTS), ...SERVERS].sort()).toEqual(Object.keys(COMMANDS).sort());
});

test.each(Object.entries(STARTS))('%s', async (name, { args, exitCode = 0, says }) => {
  const result = await startCli([name, ...args], { cwd: project.path });
  expect(result.stdout + result.stderr).toContain(says);
  expect(result.exitCode).toBe(exitCode);
});
