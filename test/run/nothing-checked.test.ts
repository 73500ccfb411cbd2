import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

async function run(files: Readonly<Record<string, string>>, ...args: string[]) {
  const project = createProject(files);
  const asked = ['run', '--reporter', 'json', '--no-record', '--agent', './agent.mjs', ...args];
  const env = { ASSAY_ISOLATE: 'true' };
  const { stdout, stderr, exitCode } = await runCli(asked, { cwd: project.path, env });
  project.remove();
  if (!stdout.startsWith('{')) throw new Error(stderr);
  const { results, findings } = JSON.parse(stdout) as {
    readonly results: readonly { readonly test: string; readonly verdict: string }[];
    readonly findings: readonly { readonly code: string; readonly message: string }[];
  };
  return {
    exitCode,
    verdicts: Object.fromEntries(results.map(({ test: id, verdict }) => [id, verdict])),
    codes: findings.map(({ code }) => code),
    messages: findings.map(({ message }) => message).join('\n'),
  };
}

test('an error after the reply is reported, and fails no other test that runs then', async () => {
  const files = {
    // The second call is waited for while what the first one left behind fails.
    'agent.mjs': `
      export const workers = 2;
      let fail = () => {};
      const failed = new Promise((resolve) => (fail = resolve));
      export const agent = async (input) => {
        if (input === 'other') { await failed; await new Promise((resolve) => setTimeout(resolve, 20)); return 'ok'; }
        setTimeout(() => { fail(); throw new Error('too late'); }, 5);
        return 'ok';
      };`,
    'a.test.yaml': [
      '- { id: leaves, input: leaves, assert: { output.equals: ok } }',
      '- { id: other, input: other, assert: { output.equals: ok } }',
    ].join('\n'),
  };
  const { verdicts, codes, messages, exitCode } = await run(files);
  expect(verdicts).toEqual({ leaves: 'passed', other: 'passed' });
  expect([codes, exitCode]).toEqual([['late_error'], 0]);
  expect(messages).toContain('Error: too late');
  // It belongs to no test.
  expect((await run(files, '--strict')).exitCode).toBe(2);
});

test('an empty answer is a warning where only absence is claimed, and so are rules that always hold', async () => {
  const files = {
    'agent.mjs':
      'export const agent = (input) => ({ output: input === "empty" ? " " : input, tools_used: [] });',
    'a.test.yaml': [
      '- { id: claim, input: empty, assert: { output.not_includes: bad } }',
      '- { id: said, input: fine, assert: { output.not_includes: bad } }',
      '- { id: tools, input: empty, assert: { tools_used: [] } }',
    ].join('\n'),
    'b.eval.yaml': `tests:
  - { id: negated, input: empty, assert: [{ type: not-contains, value: bad }] }
  - { id: meant, input: empty, assert: [{ type: not-contains, value: bad }, { type: regex, value: '^ $' }] }
`,
  };
  const plain = await run(files);
  expect([plain.exitCode, plain.codes]).toEqual([0, ['empty_answer', 'empty_answer']]);
  expect((await run(files, '--strict')).verdicts).toMatchObject({
    claim: 'error',
    said: 'passed',
    meant: 'passed',
  });
  const lax = await run(files, '--threshold', '0', '--min-pass-rate', '0');
  expect(lax.codes).toEqual(expect.arrayContaining(['threshold_zero', 'gate_without_effect']));
  expect(lax.exitCode).toBe(2);
});

test('a dataset without lines beside other suites is an error, and braces that nothing fills in are a warning', async () => {
  const agent = { 'agent.mjs': 'export const agent = (input) => (input === "empty" ? "-" : input);\n' };
  const good = '- { id: a, input: fine, assert: { output.includes: "fine" } }\n';
  const emptied = await run({ ...agent, 'a.test.yaml': good, 'dataset.jsonl': '\n' });
  expect([emptied.exitCode, emptied.codes]).toEqual([2, ['no_cases']]);
  const allowed = await run({ ...agent, 'a.test.yaml': good, 'dataset.jsonl': '\n' }, '--pass-with-no-tests');
  expect(allowed.codes).toEqual(['no_cases']);
  const braces = {
    ...agent,
    'a.test.yaml': '- { id: a, input: fine, assert: { output.not_includes: "{{word}}" } }\n',
  };
  expect((await run(braces)).codes).toEqual(['unfilled_braces']);
  expect((await run(braces, '--strict')).exitCode).toBe(2);
  const rows = await run({
    ...agent,
    'a.eval.yaml':
      'tests:\n  - { id: "{{n}}", input: "{{n}}", each: rows.csv, assert: [{ type: contains, value: "{{a}}" }] }\n',
    'rows.csv': 'n,a\nfine,fine\nempty,\n',
  });
  expect([rows.exitCode, rows.codes]).toEqual([2, expect.arrayContaining(['empty_cell'])]);
});
