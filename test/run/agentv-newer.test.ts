import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, runCli, type CliResult } from '../project.ts';

// What the programs of newer AgentV files read and print.
const GRADER = `
let text = '';
for await (const chunk of process.stdin) text += chunk;
const { output, criteria, input, config } = JSON.parse(text);
console.log(JSON.stringify({ assertions: [
  { text: 'sees the answer', passed: output === 'Hello Ada, the TOTAL is 5' },
  { text: 'sees the rest', passed: criteria === 'G' && input.at(-1).content === 'Hi' && config.want === 1 },
] }));
`;

const SUITE = `
providers: [agent]
prompts: ["{{ input }}"]
assert: [{ type: not-contains, value: sorry }]
tests:
- id: passes
  criteria: G
  vars: { input: Hi }
  assert:
  - { type: icontains-any, value: [nothing, total] }
  - { type: icontains-all, value: [hello, ADA], required: true }
  - { type: script, command: [node, grade.mjs], want: 1, required: true, min_score: 1 }
  - { type: composite, aggregator: { type: threshold, threshold: 0.5 }, weight: 0.1, assertions: [{ type: contains, value: Ada }, { type: contains, value: Bob }] }
- id: below the threshold of a set
  vars: { input: Hi }
  assert: [{ type: assert-set, threshold: 0.9, weight: 0.01, assert: [{ type: contains, value: Ada, weight: 4 }, { type: contains, value: Bob }] }]
- id: below the share
  vars: { input: Hi }
  assert: [{ type: composite, aggregator: { type: threshold, threshold: 1 }, weight: 0.01, assertions: [{ type: contains, value: Ada }, { type: contains, value: Bob }] }]
- id: shared evaluator
  vars: { input: Hi }
  execution: { skip_defaults: true }
  assert: [{ type: not-icontains-any, value: [total], weight: 1 }]
- cases/more.yaml
`;

const MORE = `
- id: elsewhere
  vars: { input: Hi }
  assert:
  - type: icontains-any
    value: [nope]
- id: talk
  mode: conversation
  vars: { input: [{ role: system, content: Be brief }] }
  turns:
  - { input: One, assert: [{ type: contains, value: Ada }] }
  - { input: Two, assert: [{ type: contains, value: Bob }] }
`;

let project: ReturnType<typeof createProject>;
let ran: CliResult;
beforeAll(async () => {
  project = createProject({
    '.agentv/targets.yaml':
      'targets: [{ name: agent, provider: mock, response: "Hello Ada, the TOTAL is 5" }]\n',
    'suite.eval.yaml': SUITE,
    'cases/more.yaml': MORE,
    'grade.mjs': GRADER,
    'world.eval.yaml':
      'workspace: { template: ./x, hooks: {} }\ntests: [{ id: a, input: x, assert: [{ type: contains, value: Ada }] }]\n',
  });
  ran = await runCli(['run', 'suite.eval.yaml', '--allow-scripts', '--reporter', 'json'], {
    cwd: project.path,
  });
});
afterAll(() => project.remove());

test('evaluators of newer AgentV files decide correctly', () => {
  const { results } = JSON.parse(ran.stdout) as { results: { test: string; verdict: string }[] };
  expect(Object.fromEntries(results.map((each) => [each.test, each.verdict]))).toEqual({
    passes: 'passed',
    'below the threshold of a set': 'failed',
    'below the share': 'failed',
    'shared evaluator': 'failed',
    elsewhere: 'failed',
    talk: 'failed',
  });
  expect(ran.exitCode).toBe(1);
});

test('a failure of a case in another file is shown there', async () => {
  const { stdout } = await runCli(['run', 'suite.eval.yaml', '-t', 'elsewhere'], { cwd: project.path });
  expect(stdout).toContain('cases/more.yaml:5:5');
  expect(stdout).toContain('> 5 |   - type: icontains-any');
});

test('a file with an unsupported feature does not run, and show prints its tests', async () => {
  const run = await runCli(['run', 'world.eval.yaml', '--agent', 'x.mjs'], { cwd: project.path });
  expect(run.exitCode).toBe(2);
  expect(run.stdout + run.stderr).toContain('`hooks` is not supported');
  const shown = await runCli(['show', 'world.eval.yaml', '--json'], { cwd: project.path });
  const { suites, findings } = JSON.parse(shown.stdout) as {
    suites: { tests: { id: string }[] }[];
    findings: { code: string; path: string }[];
  };
  expect(suites[0]!.tests.map(({ id }) => id)).toEqual(['a']);
  expect(findings).toMatchObject([{ code: 'unsupported_feature', path: 'workspace.hooks' }]);
});
