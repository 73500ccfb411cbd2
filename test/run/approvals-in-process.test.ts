import { afterEach, describe, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli, type Project } from '../project.ts';

let project: Project | undefined;
afterEach(() => project?.remove());

const AGENT = `
export default async (input, memory, context) => {
  let output = '';
  for (const tool of input.split(' ')) {
    const answer = await context.approve({ tool, input: { at: tool } });
    output += tool + '=' + (answer.answer ?? answer.do) + (answer.message ? '(' + answer.message + ')' : '') + ';';
  }
  return { output, tools_used: input.split(' ') };
};
`;

async function run(suites: Readonly<Record<string, object>>, agent = AGENT, more: readonly string[] = []) {
  const files = Object.fromEntries(
    Object.entries(suites).map(([name, suite]) => [`${name}.test.json`, JSON.stringify(suite)]),
  );
  project = createProject({ 'package.json': '{"type":"module"}', 'agent.js': agent, ...files });
  const { stdout } = await runCli(['run', '.', '--agent', './agent.js', '--reporter', 'json', ...more], {
    cwd: project.path,
  });
  const { results } = JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] };
  return Object.fromEntries(results.map((record) => [record.test, record]));
}

const SUITES = {
  rules: {
    input: 'read rm_all',
    approvals: { rules: [{ tool: 'rm*', do: 'deny', message: 'no' }], default: 'allow' },
    assert: { 'output.equals': 'read=allow;rm_all=deny(no);', approvals_asked: ['read', 'rm_all'] },
  },
  steps: {
    steps: [
      { input: 'one two', assert: { approvals_asked: ['one'] } },
      { deny: 'later', assert: { approvals_asked: ['two'] } },
      {
        answer: 'blue',
        assert: { 'output.equals': 'one=deny(later);two=blue;', tools_used: ['one', 'two'] },
      },
      { input: 'three', assert: { approvals_asked: ['three'] } },
      { approve: true, assert: { 'output.equals': 'three=allow;' } },
    ],
  },
  nobody: { input: 'rm', assert: { tools_used: ['rm'] } },
  fails: {
    input: 'rm',
    approvals: { default: 'fail' },
    assert: { tools_used: ['rm'] },
  },
  'too few': {
    steps: [
      { input: 'one two', assert: { approvals_asked: ['one'] } },
      { approve: true, assert: { tools_used: ['one', 'two'] } },
    ],
  },
  vacuous: {
    steps: [
      { input: 'one', assert: { 'tools_used.excludes': ['x'], 'output.not_includes': 'x' } },
      { approve: true, assert: { 'output.equals': 'one=allow;' } },
    ],
  },
};

describe.each([
  ['in its own process', []],
  ['in the process of Assay', ['--no-isolate']],
])('a function asks for permission %s', (_, more) => {
  test('rules and steps answer; what nobody answers is an error', async () => {
    const isHere = more.length > 0;
    const suites = isHere ? SUITES : SUITES;
    project = undefined;
    const env = isHere ? { ASSAY_ISOLATE: 'false' } : {};
    const files = Object.fromEntries(
      Object.entries(suites).map(([name, suite]) => [`${name}.test.json`, JSON.stringify(suite)]),
    );
    project = createProject({ 'package.json': '{"type":"module"}', 'agent.js': AGENT, ...files });
    const { stdout } = await runCli(['run', '.', '--agent', './agent.js', '--reporter', 'json'], {
      cwd: project.path,
      env,
    });
    const { results } = JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] };
    const records = Object.fromEntries(results.map((record) => [record.test, record]));
    expect(Object.fromEntries(results.map(({ test: name, verdict }) => [name, verdict]))).toEqual({
      rules: 'passed',
      steps: 'passed',
      nobody: 'error',
      fails: 'error',
      'too few': 'error',
      vacuous: 'error',
    });
    for (const name of ['nobody', 'fails', 'too few'])
      expect(records[name]!.error).toMatchObject({ kind: 'approval' });
    expect(records['steps']!.steps[1]!.approvals_asked).toMatchObject([
      { tool: 'one', input: { at: 'one' }, do: 'deny', by: 'step', reason: 'later' },
      { tool: 'two', do: 'wait' },
    ]);
    for (const { message } of records['vacuous']!.steps[0]!.assertions)
      expect(message).toContain('not reached');
  });
});

describe('results of frameworks that wait', () => {
  const waits = (result: object) => `export default async () => (${JSON.stringify(result)});`;
  const suite = { waits: { input: 'x', assert: { 'output.not_includes': 'zzz' } } };

  test.each([
    [
      'OpenAI Agents',
      {
        interruptions: [
          {
            type: 'tool_approval_item',
            rawItem: { type: 'function_call', name: 'rm', callId: 'c1', arguments: '{}' },
          },
        ],
        newItems: [],
        rawResponses: [],
        output: 'x',
      },
    ],
    [
      'LangGraph',
      { messages: [{ type: 'ai', content: 'thinking' }], __interrupt__: [{ value: 'Delete it?', id: 'i1' }] },
    ],
  ])('of %s are never a pass', async (_, result) => {
    const { waits: record } = await run(suite, waits(result));
    expect(record!.verdict).toBe('error');
    expect(record!.error).toMatchObject({
      kind: 'approval',
      message: expect.stringContaining('context.approve') as unknown,
    });
  });
});
