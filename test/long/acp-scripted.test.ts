import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli, type Project } from '../project.ts';

const AGENT = fileURLToPath(new URL('../fixtures/acp/scripted-agent.mjs', import.meta.url));

let project: Project | undefined;
afterEach(() => project?.remove());

interface Run {
  readonly target?: object;
  readonly args?: readonly string[];
}

/** Runs one test of the scripted agent. */
async function run(suite: object, { target = {}, args = [] }: Run = {}) {
  const own = { name: 'coder', provider: 'acp', command: [process.execPath, AGENT], ...target };
  project = createProject({
    'suite.test.json': JSON.stringify(suite),
    'assay.config.json': JSON.stringify({ targets: [own] }),
  });
  const { stdout, stderr, exitCode } = await runCli(
    ['run', 'suite.test.json', '--reporter', 'json', ...args],
    { cwd: project.path },
  );
  const results = (JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] }).results;
  return { record: results[0]!, results, exitCode, stderr, cwd: project.path };
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

describe('a turn', () => {
  test('messages, tool calls with arguments and results, usage and cost are evidence', async () => {
    const { record } = await run({
      input: 'say:Looking spend:0.25 call:count_lines say:Three',
      assert: [
        { type: 'equals', value: 'Three' },
        {
          type: 'tool_trajectory',
          mode: 'exact',
          expected: [{ tool: 'count_lines', args: { path: 'a.txt' } }],
        },
        { type: 'cost', budget: 0.25 },
      ],
    });
    expect(record.verdict).toBe('passed');
    const [step] = record.steps;
    expect(step!.tool_calls).toMatchObject([{ tool: 'count_lines', output: { lines: 3 }, status: 'ok' }]);
    // Some agents report the last of several model calls alone.
    expect(step!.token_usage).toBeUndefined();
    expect(step!.evidence).toMatchObject({ output: 'recognised', tool_calls: 'recognised' });
  });

  test('what was not called is known', async () => {
    const { record } = await run({
      input: 'say:hello',
      assert: [
        { type: 'tool_trajectory', mode: 'exact', expected: [] },
        { type: 'token_usage', max_total: 150 },
      ],
    });
    expect(record.verdict).toBe('passed');
    expect(record.steps[0]!.token_usage).toEqual({ input: 100, output: 30, cached: 20 });
  });

  test('steps share one session, and each has its own cost', async () => {
    const { record } = await run({
      steps: [
        { input: 'turns spend:0.5', assert: { 'output.includes': 'turn 1 of' } },
        { input: 'turns spend:0.25', assert: [{ type: 'cost', budget: 0.25 }] },
      ],
    });
    expect(record.verdict).toBe('passed');
    const [one, two] = record.steps.map(({ output }) => output!.split(' of ')[1]);
    expect(one).toBe(two);
    expect(record.steps.map(({ cost_usd }) => cost_usd)).toEqual([0.5, 0.25]);
  });

  test('it works in the folder of the target, with the model that was chosen', async () => {
    const { record, cwd } = await run(
      {
        steps: [
          { input: 'cwd', assert: { tools_used: [] } },
          { input: 'model', assert: { tools_used: [] } },
        ],
      },
      { target: { cwd: '.', model: 'large' } },
    );
    expect(record.steps.map(({ output }) => output)).toEqual([`${cwd} ${cwd}`, 'model large']);
  });

  test('an update that Assay does not know leaves claims about tools unmeasured', async () => {
    const { record } = await run({ input: 'unknown say:x', assert: { 'tools_used.excludes': ['rm'] } });
    expect(record.verdict).toBe('error');
    expect(record.steps[0]!.assertions[0]!.message).toContain('hologram');
  });
});

describe('an agent that does not keep the protocol is an error of its attempt', () => {
  test.each([
    ['dies', { input: 'say:x die' }, {}, 'agent', /^scripted-agent\.mjs exited with code 7/],
    [
      'refuses',
      { input: 'refuse' },
      {},
      'agent',
      /^scripted-agent\.mjs refused session\/prompt: .*out of coffee/,
    ],
    [
      'prints something else',
      { input: 'say:x' },
      { command: [process.execPath, AGENT, '--nonsense'] },
      'contract',
      /does not speak ACP: it printed this in place of a message: Welcome to my agent!/,
    ],
    [
      'is not logged in',
      { input: 'say:x' },
      { command: [process.execPath, AGENT, '--locked'] },
      'config',
      /is not logged in/,
    ],
    ['has no such mode', { input: 'say:x' }, { mode: 'plan' }, 'config', /lets no client choose the mode/],
  ] as const)('%s', async (_, suite, target, kind, message) => {
    const { record, exitCode } = await run({ ...suite, assert: { tools_used: [] } }, { target });
    expect(record.error).toMatchObject({ kind, message: expect.stringMatching(message) as unknown });
    expect(record.verdict).toBe('error');
    expect(exitCode).toBe(3);
  });

  test('is logged in by `auth`', async () => {
    const { record } = await run(
      { input: 'say:x', assert: { 'output.equals': 'x' } },
      { target: { command: [process.execPath, AGENT, '--locked'], auth: 'key' } },
    );
    expect(record.verdict).toBe('passed');
  });

  test('stray lines between its messages do no harm', async () => {
    const { record } = await run({ input: 'garbage say:x', assert: { 'output.equals': 'x' } });
    expect(record.verdict).toBe('passed');
    expect(record.steps[0]!.printed).toContain('stray words');
  });

  test.each([
    ['in a turn', {}],
    ['before it begins', { command: [process.execPath, AGENT, '--silent'] }],
  ])('one that hangs %s is ended with all its processes', async (_, target) => {
    const { record, cwd } = await run(
      { input: 'hang', assert: { tools_used: [] } },
      { target, args: ['--timeout', '3s'] },
    );
    expect(record.error!.kind).toBe('timeout');
    if (Object.keys(target).length > 0) return;
    const pids = JSON.parse(readFileSync(join(cwd, 'pids'), 'utf8')) as number[];
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  test('a program that is missing stops the run', async () => {
    project = createProject({
      'suite.test.json': '{"input":"x","assert":{"tools_used":[]}}',
      'assay.config.json': '{"targets":[{"name":"coder","provider":"acp","command":["no-such-agent"]}]}',
    });
    const { exitCode, stderr } = await runCli(['run', 'suite.test.json'], { cwd: project.path });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('no-such-agent');
  });
});

describe('permissions', () => {
  const rules = [
    { tool: 'delete*', do: 'deny', message: 'Not here.' },
    { tool: 'read', do: 'allow' },
    { tool: 'secret', do: 'fail' },
  ];

  test('rules answer, and every request is evidence', async () => {
    const { record } = await run({
      input: 'ask:read ask:delete_all',
      approvals: { rules },
      assert: {
        approvals_asked: ['read', 'delete_all'],
        'approvals_asked.includes': ['read'],
        'approvals_asked.excludes': ['secret'],
        'output.includes': '[delete_all: no]',
      },
    });
    expect(record.verdict).toBe('passed');
    expect(record.steps[0]!.approvals_asked).toMatchObject([
      { tool: 'read', do: 'allow', by: 'rule', rule: 2, input: { path: 'read.txt' } },
      { tool: 'delete_all', do: 'deny', by: 'rule', rule: 1, reason: 'Not here.' },
    ]);
    expect(record.steps[0]!.tool_calls).toMatchObject([{ status: 'ok' }, { status: 'error' }]);
  });

  test('a claim about requests can fail', async () => {
    const { record } = await run({
      input: 'ask:read',
      approvals: { default: 'allow' },
      assert: { approvals_asked: [] },
    });
    expect(record.verdict).toBe('failed');
  });

  test('the rules of a test come before those of its target', async () => {
    const { record } = await run(
      {
        input: 'ask:read',
        approvals: { rules: [{ tool: 'read', do: 'deny' }] },
        assert: { approvals_asked: ['read'] },
      },
      { target: { approvals: { default: 'allow', rules: [{ tool: 'read', do: 'allow' }] } } },
    );
    expect(record.steps[0]!.output).toBe('[read: no]');
  });

  test.each([
    ['that nobody answers', {}, /permission to use read.*no one answers\nadd `approvals/],
    [
      'that must not be made',
      { approvals: { rules: [{ tool: 'read', do: 'fail' }] } },
      /does not let it ask/,
    ],
  ])('a request %s is an error, whatever is claimed', async (_, more, message) => {
    const { record, exitCode } = await run({ input: 'ask:read', ...more, assert: { tools_used: ['read'] } });
    expect(record.verdict).toBe('error');
    expect(record.error).toMatchObject({
      kind: 'approval',
      message: expect.stringMatching(message) as unknown,
    });
    expect(record.steps[0]!.approvals_asked).toMatchObject([{ tool: 'read', do: 'fail' }]);
    expect(exitCode).toBe(3);
  });

  test('steps approve, deny and answer in place of an input', async () => {
    const { record } = await run({
      steps: [
        { input: 'ask:one ask:two ask:three say:end', assert: { approvals_asked: ['one'] } },
        { approve: true, assert: { approvals_asked: ['two'] } },
        { deny: 'No.', assert: { approvals_asked: ['three'] } },
        {
          answer: 'always',
          assert: {
            'output.equals': '[three: always]end',
            tools_used: ['one', 'two', 'three'],
            approvals_asked: [],
          },
        },
        { input: 'turns', assert: { 'output.includes': 'turn 2 of' } },
      ],
    });
    expect(record.steps.map(({ assertions }) => assertions.map(({ message }) => message))).toEqual(
      record.steps.map(({ assertions }) => assertions.map(() => expect.any(String) as unknown)),
    );
    expect(record.verdict).toBe('passed');
    expect(record.steps[2]!.approvals_asked).toMatchObject([
      { tool: 'two', do: 'deny', by: 'step', reason: 'No.' },
      { tool: 'three', do: 'wait' },
    ]);
  });

  test('a step that waits has no answer to judge', async () => {
    const { record } = await run({
      steps: [
        { input: 'ask:one', assert: { 'output.not_includes': 'x', 'tools_used.excludes': ['rm'] } },
        { approve: true, assert: { tools_used: ['one'] } },
      ],
    });
    expect(record.verdict).toBe('error');
    expect(record.steps[0]!.unfinished).toBe('waiting');
    for (const { message } of record.steps[0]!.assertions) expect(message).toContain('not reached');
  });

  test('one step answers one of several requests', async () => {
    const steps = (count: number) => [
      { input: 'ask-both', assert: { 'approvals_asked.includes': ['first'] } },
      ...Array.from({ length: count }, () => ({
        approve: true,
        assert: { 'approvals_asked.excludes': ['x'] },
      })),
    ];
    expect((await run({ steps: steps(2) })).record.verdict).toBe('passed');
    project!.remove();
    const { record } = await run({ steps: steps(1) });
    expect(record.error).toMatchObject({ kind: 'approval' });
  });

  test('an answer that nobody waits for is an error', async () => {
    const { record } = await run({
      steps: [
        { input: 'say:x', assert: { 'output.equals': 'x' } },
        { approve: true, assert: { tools_used: [] } },
      ],
    });
    expect(record.error).toMatchObject({
      kind: 'approval',
      message: expect.stringContaining('does not wait') as unknown,
    });
  });

  test('an option that the agent does not offer is an error', async () => {
    const { record } = await run({
      input: 'ask-odd',
      approvals: { default: 'allow' },
      assert: { tools_used: ['odd'] },
    });
    expect(record.error).toMatchObject({
      kind: 'contract',
      message: expect.stringContaining('offers no option for "allow"') as unknown,
    });
  });
});

describe('first move', () => {
  test('the attempt ends at the first tool call, and later claims are not reached', async () => {
    const { record } = await run({
      input: 'say:thinking skill:pdf call:other say:end',
      stop_after: 'first_tool_call',
      assert: [
        { type: 'skill_used', value: 'pdf' },
        { type: 'contains', value: 'end' },
      ],
    });
    expect(record.steps[0]!.unfinished).toBe('first_tool_call');
    expect(record.steps[0]!.tool_calls).toMatchObject([{ tool: 'Skill', input: { skill: 'pdf' } }]);
    const [skill, text] = record.steps[0]!.assertions;
    expect(skill!.passed).toBe(true);
    expect(text!.error!.message).toContain('not reached');
    expect(record.verdict).toBe('error');
  });

  test('a turn without a call ends as it does', async () => {
    const { record } = await run({
      input: 'say:hello',
      stop_after: 'first_tool_call',
      assert: { tools_used: [], 'output.equals': 'hello' },
    });
    expect(record.verdict).toBe('passed');
  });

  test('a permission need not be given: the call is known', async () => {
    const { record } = await run({
      input: 'ask:rm say:end',
      stop_after: 'first_tool_call',
      assert: { tools_used: ['rm'] },
    });
    expect(record.verdict).toBe('passed');
  });
});
