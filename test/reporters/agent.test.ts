import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

/** As in the shell of a coding agent. */
const AGENT = { ASSAY_AGENT: undefined, AI_AGENT: undefined, CLAUDECODE: '1' };

const ECHO = `export const agent = (input) => {
  if (input.startsWith('crash')) throw new Error('the database is down');
  if (input.startsWith('long')) return { output: 'The quick brown fox '.repeat(400) + input, tools_used: [] };
  return { output: 'You said ' + input + '. \\u001b[31m::error::x', tools_used: [] };
};
`;

let project: ReturnType<typeof createProject>;

beforeAll(() => {
  const hundred = Array.from({ length: 100 }, (_, index) =>
    [
      `- id: the-customer-asks-for-a-refund-number-${index}`,
      `  input: long question ${index}`,
      '  assert:',
      `    output.equals: "${'The quick brown fox '.repeat(399)}answer ${index}"`,
      '',
    ].join('\n'),
  );
  project = createProject({
    'agent.mjs': ECHO,
    'assay.config.yaml': 'agent: ./agent.mjs\n',
    'hundred/refunds.test.yaml': hundred.join(''),
    'same/down.test.yaml': Array.from(
      { length: 40 },
      (_, index) => `- id: down-${index}\n  input: crash\n  assert: { output.includes: x }\n`,
    ).join(''),
    'one/a.test.yaml': [
      '- id: first',
      '  input: hello',
      '  assert:',
      '    output.includes: goodbye',
      '    tools_used: [search]',
      '- id: second',
      '  input: hello',
      '  assert: { output.includes: hello }',
      '- id: third',
      '  input: hello',
      '  assert: { output.not_includes: said }',
      '',
    ].join('\n'),
    'fine/a.test.yaml': 'id: fine\ninput: hello\nassert: { output.includes: hello }\n',
    'broken/a.test.yaml': 'id: broken\ninput: hello\nassert: { output.inclods: hello }\n',
    'flaky/a.test.yaml':
      'id: flaky\nrepeats: 4\npass_at_least: 3/4\ninput: hello\nassert: { output.includes: bye }\n',
  });
});
afterAll(() => project.remove());

test('a failure shows its place, the expected and the actual value, and how to see more', async () => {
  const { stdout, exitCode } = await runCli(['run', 'one'], { cwd: project.path, env: AGENT });
  expect(exitCode).toBe(1);
  expect(stdout.replace(/\d{8}T[\d-]+-\w+/, 'RUN').replace(/in [\d.]+ m?s/, 'in TIME')).toBe(
    [
      'one/a.test.yaml:4 first',
      String.raw`  output.includes: expected "goodbye", got "You said hello. \x1b[31m::error::x"`,
      '  tools_used: expected ["search"], got []',
      'one/a.test.yaml:11 third',
      String.raw`  output.not_includes: expected not containing "said", got "You said hello. \u001b[31m::error::x"`,
      'full report: assay report RUN --reporter terminal',
      'rerun one: assay run FILE:LINE --reporter terminal',
      '2 failed, 1 passed (3 tests) in TIME, exit code 1',
      '',
    ].join('\n'),
  );
  const [, more] = /full report: assay (.*)/.exec(stdout)!;
  const whole = await runCli(more!.split(' '), { cwd: project.path, env: AGENT });
  expect(whole.stdout).toContain('rerun: assay run one/a.test.yaml:1');
});

test('a hundred failures with long values fit into 8,000 characters, each with its place and difference', async () => {
  const { stdout } = await runCli(['run', 'hundred'], { cwd: project.path, env: AGENT });
  expect(stdout.length).toBeLessThanOrEqual(8000);
  const [file, ...lines] = stdout.split('\n');
  expect(file).toBe('hundred/refunds.test.yaml');
  for (let index = 0; index < 100; index++)
    expect(lines[index]).toMatch(new RegExp(`^ :${4 + index * 4} .*output.equals: expected ".+", got ".+"$`));
  expect(stdout).not.toContain('more that did not pass');
  // Both values begin with the same 7,980 characters.
  expect(stdout).not.toContain('"The quick');
  expect(stdout).toMatch(/expected "….*answer/);
});

test('tests that fail for the same reason form one block with their places', async () => {
  const { stdout, exitCode } = await runCli(['run', 'same'], { cwd: project.path, env: AGENT });
  expect(exitCode).toBe(3);
  expect(stdout.match(/the database is down/g)).toHaveLength(1);
  expect(stdout).toMatch(/^40 tests ERROR, all the same: agent error: .*the database is down/m);
  for (let index = 0; index < 40; index++)
    expect(stdout).toMatch(new RegExp(`down\\.test\\.yaml:\\d+ down-${index}$`, 'm'));
});

test('broken files, broken gates and empty runs are never green', async () => {
  const broken = await runCli(['run', 'broken', 'fine'], { cwd: project.path, env: AGENT });
  expect(broken.exitCode).toBe(2);
  expect(broken.stdout).toMatch(/^error broken\/a\.test\.yaml:3 unknown_assertion: .*output\.inclods.*/m);
  expect(broken.stdout).toMatch(/1 passed \(1 test\) in .*, exit code 2\n$/);
  const flaky = await runCli(['run', 'flaky'], { cwd: project.path, env: AGENT });
  expect(flaky.stdout.match(/passed 0 of 4, \S+ required/g)).toHaveLength(1);
  expect(flaky.stdout).not.toContain('passed 0 of 4; ');
  const none = await runCli(['run', 'fine', '-t', 'nothing-like-it'], { cwd: project.path, env: AGENT });
  expect(none.stdout + none.stderr).toContain('no test ran');
  expect(none.exitCode).toBe(2);
});

test('it is the default only for coding agents, and only if no other reporter is named', async () => {
  const shown = async (env: Record<string, string | undefined>, ...args: string[]) =>
    (await runCli(['run', 'fine', ...args], { cwd: project.path, env })).stdout;
  const terse = /^run: \S+\n1 passed \(1 test\) in .*, exit code 0\n$/;
  const none = { CLAUDECODE: undefined, CURSOR_AGENT: undefined, GEMINI_CLI: undefined };
  for (const name of ['CLAUDECODE', 'CURSOR_AGENT', 'GEMINI_CLI'])
    expect(await shown({ ...AGENT, ...none, [name]: '1' })).toMatch(terse);
  expect(await shown({ ...AGENT, ASSAY_AGENT: '0' })).toContain('✓ fine/a.test.yaml');
  expect(await shown(AGENT, '--reporter', 'terminal')).toContain('✓ fine/a.test.yaml');
  expect(await shown({ ...none, ASSAY_AGENT: '1' })).toMatch(terse);
  expect(JSON.parse(await shown(AGENT, '--reporter', 'json'))).toMatchObject({ exit_code: 0 });
  expect(await shown(AGENT, '--reporter', 'junit=junit.xml')).toMatch(
    /exit code 0\nReport junit.xml \(junit\)\n$/,
  );
});
