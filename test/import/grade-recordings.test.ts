import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import type { Summary } from '../../src/base/model/summary.ts';
import { createProject, runCli, type Project } from '../project.ts';

interface Report {
  readonly exit_code: number;
  readonly summary: Summary;
  readonly results: readonly AttemptRecord[];
  readonly findings: readonly { readonly code: string; readonly message: string; readonly file: string }[];
}

const call = (name: string, args: object) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
const said = (role: string, content: string) => ({ role, content });
const chats = [
  {
    id: 'paris',
    messages: [
      said('user', 'Weather in Paris?'),
      call('weather', { city: 'Paris' }),
      { role: 'tool', tool_call_id: 'c1', content: '{"sky":"clear"}' },
      said('assistant', 'It is clear in Paris.'),
    ],
  },
  { id: 'oslo', messages: [said('user', 'Weather in Oslo?'), said('assistant', 'No idea.')] },
  { id: 'extra', messages: [said('user', 'Hello'), said('assistant', 'Hi.')] },
];

let project: Project;
beforeAll(async () => {
  project = createProject({
    'chats.jsonl': chats.map((chat) => `${JSON.stringify(chat)}\n`).join(''),
    'weather.test.yaml': [
      'id: paris',
      'steps:',
      '  - input: Weather in Paris?',
      '    assert: { output.includes: clear, tools_used: [weather] }',
      '',
    ].join('\n'),
    'oslo.test.yaml': [
      'id: in-the-north',
      'steps:',
      '  - input: Weather in Oslo?',
      '    assert: { tools_used: [weather] }',
      '',
    ].join('\n'),
    'rome.test.yaml': 'id: rome\nsteps:\n  - input: Weather in Rome?\n    assert: { output.includes: sun }\n',
  });
  const { exitCode } = await runCli(['import', 'chats.jsonl'], { cwd: project.path });
  expect(exitCode).toBe(0);
});
afterAll(() => project.remove());

let imported: string | undefined;
async function grade(...args: readonly string[]): Promise<Report> {
  imported ??= (
    JSON.parse((await runCli(['report', 'latest', '--json', '-'], { cwd: project.path })).stdout) as {
      run_id: string;
    }
  ).run_id;
  const { stdout, stderr, exitCode } = await runCli(['grade', imported, '--reporter', 'json', ...args], {
    cwd: project.path,
  });
  expect(stdout, stderr).not.toBe('');
  const report = JSON.parse(stdout) as Report;
  expect(report.exit_code).toBe(exitCode);
  return report;
}

test('a test judges the recording with its id, or with its input', async () => {
  const { exit_code, results, findings } = await grade(
    '--suite',
    'weather.test.yaml',
    '--suite',
    'oslo.test.yaml',
  );
  expect(exit_code).toBe(1);
  expect(results.map(({ test: id, verdict, source }) => [id, verdict, source]).sort()).toEqual([
    ['in-the-north', 'failed', { format: 'chat' }],
    ['paris', 'passed', { format: 'chat' }],
  ]);
  expect(findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'unmatched_recording: no test matches the recording "extra"',
  ]);
  // The verdicts are a run, which reports read.
  const { stdout, exitCode } = await runCli(['report', 'latest', '--junit', '-'], { cwd: project.path });
  expect(exitCode).toBe(0);
  expect(stdout).toContain('<testsuites');
  expect(stdout).toContain('failures="1"');
});

test('a failure names no command that would call an agent', async () => {
  const graded = ['grade', imported!, '--suite', 'oslo.test.yaml'];
  const { stdout } = await runCli(graded, { cwd: project.path });
  expect(stdout).toContain('FAIL in-the-north');
  expect(stdout).not.toContain('rerun');
  const junit = await runCli([...graded, '--reporter', 'junit'], { cwd: project.path });
  expect(junit.stdout).toContain('failures="1"');
  expect(junit.stdout).not.toContain('rerun');
});

test('a test that matches no recording is an error, and is listed', async () => {
  const { exit_code, results, findings } = await grade(
    '--suite',
    'weather.test.yaml',
    '--suite',
    'rome.test.yaml',
  );
  expect(exit_code).toBe(3);
  expect(results.map(({ test: id, verdict, error }) => [id, verdict, error?.message]).sort()).toEqual([
    ['paris', 'passed', undefined],
    ['rome', 'error', 'no recording matches this test (by id or input)'],
  ]);
  expect(findings.filter(({ code }) => code === 'unmatched_recording')).toHaveLength(2);
});

test('no match at all is invalid, not green', async () => {
  const { exit_code, findings } = await grade('--suite', 'rome.test.yaml');
  expect(exit_code).toBe(2);
  expect(findings.map(({ code }) => code)).toContain('no_match');
});

test('a rule says how to match, and may match nothing', async () => {
  expect((await grade('--suite', 'oslo.test.yaml', '--match', 'input')).exit_code).toBe(1);
  expect((await grade('--suite', 'oslo.test.yaml', '--match', 'id')).exit_code).toBe(2);
});

test('recordings have no tests of their own', async () => {
  const { exitCode, stderr } = await runCli(['grade', imported!], { cwd: project.path });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--suite');
});
