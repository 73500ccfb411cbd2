import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli, type CliResult, startCli } from '../project.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

const AGENT = `
export function agent(input, memory) {
  if (input === 'throw') throw new Error('no flights today');
  if (input === 'hang') return new Promise(() => {});
  if (input === 'list') return { output: ['not', 'text'] };
  if (input === 'exit') process.exit(0);
  const heard = [...(memory.heard ?? []), input];
  return { output: 'You said ' + input, tools_used: input === 'search' ? ['Skyscanner'] : [], memory: { heard } };
}`;

const PASSING = `
description: Talks
steps:
  - input: hello
    assert:
      output.includes: hello
      tools_used: []
      memory.heard: [hello]
  - input: search
    assert:
      output.matches: "^You said s\\\\w+$"
      tools_used: [Skyscanner]
      memory.heard: [hello, search]
`;

const FAILING = `
steps:
  - input: hello
    assert:
      output.equals: Goodbye
      tools_used: [Phone]
      output.includes: said
`;

function singleStep(input: string): string {
  return `steps:\n  - input: ${input}\n    assert:\n      output.includes: said\n`;
}

async function assay(
  files: Record<string, string>,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CliResult & { readonly path: string }> {
  const project = createProject({ 'agent.mjs': AGENT, ...files });
  cleanUps.push(() => project.remove());
  const result = await runCli(['run', ...args, '--agent', './agent.mjs'], { cwd: project.path, env });
  return { ...result, path: project.path };
}

function json({ stdout }: CliResult): {
  results: {
    test: string;
    verdict: string;
    error?: { kind: string; message: string };
    steps: { assertions: { passed: boolean; line: number }[] }[];
  }[];
  exit_code: number;
  summary: Record<string, number>;
  findings: { code: string; file: string; line: number }[];
  run_id: string;
} {
  return JSON.parse(stdout) as ReturnType<typeof json>;
}

describe('assay run', () => {
  test('all tests pass: exit 0', async () => {
    const result = await assay({ 'a.test.yaml': PASSING }, []);
    expect(result.exitCode).toBe(0);
    expect(result.stdout).toContain('✓ a.test.yaml (1 test)');
    expect(result.stdout).toContain('1 passed');
    expect(result.stderr).toBe('');
  });

  test('a failure shows every failed claim, its line, the diff and the command to rerun it: exit 1', async () => {
    const result = await assay({ 'a.test.yaml': PASSING, 'b.test.yaml': FAILING }, []);
    expect(result.exitCode).toBe(1);
    const stdout = result.stdout.replace(/Slow .*\n/, '').replace(/Time .*(?:\nRun .*)?/, 'Time');
    expect(stdout).toMatchInlineSnapshot(`
      "✓ a.test.yaml (1 test)
      ✗ b.test.yaml (1 test) 1 failed

      FAIL b

        b.test.yaml:5:22
          3 |   - input: hello
          4 |     assert:
        > 5 |       output.equals: Goodbye
            |                      ^^^^^^^
        > 6 |       tools_used: [Phone]
            |                   ^^^^^^^
          7 |       output.includes: said
        output.equals: expected "Goodbye", got "You said hello"
        tools_used: expected ["Phone"], got []

        input:  hello
        output: You said hello
        memory: heard: absent → ["hello"]

        rerun: assay run b.test.yaml:2 --agent ./agent.mjs

      Tests  1 failed, 1 passed (2)
      Time
      "
    `);
  });

  test('repeats are attempts, not tests, and a test that fails in all of them is shown once', async () => {
    const result = await assay({ 'a.test.yaml': PASSING, 'b.test.yaml': FAILING }, ['--repeats', '3']);
    expect(result.stdout).toContain('✓ a.test.yaml (1 test, 3 attempts)\n');
    expect(result.stdout).toContain('✗ b.test.yaml (1 test, 3 attempts) attempts: 3 failed\n');
    expect(result.stdout.match(/^FAIL b/gm)).toHaveLength(1);
    expect(result.stdout).toContain('  passed 0 of 3; attempt 1 of 3:\n');
  });

  test('an agent that throws is an error of its test, and the other tests run: exit 3', async () => {
    const result = await assay({ 'a.test.yaml': singleStep('throw'), 'b.test.yaml': PASSING }, [
      '--reporter',
      'json',
    ]);
    expect(result.exitCode).toBe(3);
    expect(
      json(result).results.map(({ test: id, verdict, error }) => ({ id, verdict, kind: error?.kind })),
    ).toEqual([
      { id: 'a', verdict: 'error', kind: 'agent' },
      { id: 'b', verdict: 'passed', kind: undefined },
    ]);
    expect(json(result).results[0]!.error!.message).toContain('no flights today');
  });

  test('a reply that breaks the contract is an error that shows what came and what was expected', async () => {
    const result = await assay({ 'a.test.yaml': singleStep('list') }, ['--reporter', 'json']);
    expect(result.exitCode).toBe(3);
    expect(json(result).results[0]!.error!.kind).toBe('contract');
    expect(json(result).results[0]!.error!.message).toMatch(/output.*text.*list/s);
  });

  test('process.exit in a function agent is an error of that test', async () => {
    const result = await assay(
      { 'a.test.yaml': singleStep('exit'), 'b.test.yaml': PASSING },
      ['--reporter', 'json'],
      { ASSAY_ISOLATE: 'true' },
    );
    expect(result.exitCode).toBe(3);
    expect(json(result).summary).toMatchObject({ tests: 2, passed: 1, error: 1 });
  });

  test('an attempt that takes too long is a timeout and shows the claims that failed before it', async () => {
    const suite =
      'steps:\n  - input: hello\n    assert: {output.equals: nope}\n  - input: hang\n    assert: {output.equals: nope}\n';
    const result = await assay({ 'a.test.yaml': suite }, ['--reporter', 'json', '--timeout', '2s']);
    expect(result.exitCode).toBe(3);
    const [record] = json(result).results;
    expect(record).toMatchObject({ verdict: 'error', error: { kind: 'timeout' } });
    expect(record!.steps[0]!.assertions[0]).toMatchObject({ passed: false, line: 3 });
  });

  test('an invalid file is not run but the others are, and a failure does not hide it: exit 2', async () => {
    const result = await assay({ 'a.test.yaml': 'steps:\n  - inptu: x\n', 'b.test.yaml': FAILING }, [
      '--reporter',
      'json',
    ]);
    expect(result.exitCode).toBe(2);
    expect(json(result)).toMatchObject({ exit_code: 2, summary: { tests: 1, failed: 1 } });
    expect(json(result).findings).toContainEqual(
      expect.objectContaining({ code: 'unknown_field', file: 'a.test.yaml', line: 2 }),
    );
  });

  test('a run without tests, or with only skipped ones, does not succeed', async () => {
    const skipped = PASSING.replace('description: Talks', 'skip: not today');
    expect(await assay({ 'a.test.yaml': skipped }, [])).toMatchObject({ exitCode: 2 });
    expect(await assay({ 'a.test.yaml': PASSING }, ['-t', 'nothing like this'])).toMatchObject({
      exitCode: 2,
    });
    expect(await assay({ 'a.test.yaml': skipped }, ['--pass-with-no-tests'])).toMatchObject({ exitCode: 0 });
  });

  test('without an agent, the error says how to name one: exit 2', async () => {
    const project = createProject({ 'a.test.yaml': PASSING });
    cleanUps.push(() => project.remove());
    const result = await runCli(['run'], { cwd: project.path });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain('which agent should run a.test.yaml?');
    expect(result.stderr).toContain('--agent');
  });
});

describe('selection', () => {
  const files = {
    'a.test.yaml': `- id: one\n  tags: [fast]\n  input: hello\n  assert: {output.includes: said}\n- id: two\n  input: hello\n  assert: {output.includes: nothing}\n- id: three\n  tags: [slow]\n  description: The third\n  input: hello\n  assert: {output.includes: said}\n`,
  };
  const ran = async (args: readonly string[], env: Record<string, string> = {}) => {
    const result = await assay(files, [...args, '--reporter', 'json'], env);
    return json(result).results.map(({ test: id }) => id);
  };

  test('-t selects by id or description', async () => {
    expect(await ran(['-t', 'third'])).toEqual(['three']);
    expect(await ran(['-t', '^t'])).toEqual(['two', 'three']);
  });

  test('--tag selects by tags', async () => {
    expect(await ran(['--tag', 'fast,slow'])).toEqual(['one', 'three']);
  });

  test('file:line selects the test at that line', async () => {
    expect(await ran(['a.test.yaml:6'])).toEqual(['two']);
    expect(await ran(['./a.test.yaml:11'])).toEqual(['three']);
  });

  test('--bail stops at the first test that does not pass', async () => {
    expect(await ran(['--bail'])).toEqual(['one', 'two']);
  });

  test('--last-failed runs what did not pass in the latest run', async () => {
    const project = createProject({ 'agent.mjs': AGENT, ...files });
    cleanUps.push(() => project.remove());
    const run = (...args: string[]) =>
      runCli(['run', '--agent', './agent.mjs', '--reporter', 'json', ...args], { cwd: project.path });
    expect(json(await run()).results).toHaveLength(3);
    expect(json(await run('--last-failed')).results.map(({ test: id }) => id)).toEqual(['two']);
  });

  test('--list prints the tests without running them', async () => {
    const result = await assay(files, ['--list']);
    expect(result).toMatchObject({
      exitCode: 0,
      stdout: 'a.test.yaml:1 one\na.test.yaml:5 two\na.test.yaml:8 three The third\n',
    });
  });

  test('--list --reporter json prints them as JSON, with the findings', async () => {
    const list = await assay({ ...files, 'b.test.yaml': 'inptu: x\n' }, ['--list', '--reporter', 'json']);
    expect(list).toMatchObject({ exitCode: 2, stderr: '' });
    const { tests, findings } = JSON.parse(list.stdout) as { tests: object[]; findings: object[] };
    expect(tests).toEqual([
      { file: 'a.test.yaml', line: 1, column: 3, test: 'one', tags: ['fast'] },
      { file: 'a.test.yaml', line: 5, column: 3, test: 'two', tags: [] },
      { file: 'a.test.yaml', line: 8, column: 3, test: 'three', description: 'The third', tags: ['slow'] },
    ]);
    expect(findings).toContainEqual(expect.objectContaining({ file: 'b.test.yaml', severity: 'error' }));
    const none = await assay(files, ['--list', '--reporter', 'json', '-t', 'nothing like this']);
    expect(JSON.parse(none.stdout)).toEqual({ tests: [], findings: [] });
    expect(await assay(files, ['--list', '--reporter', 'junit'])).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test('`only` runs just the marked tests of all files, and is refused in CI', async () => {
    const only = { ...files, 'b.test.yaml': 'only: true\ninput: hi\nassert: {output.includes: said}\n' };
    const local = await assay(only, ['--reporter', 'json']);
    expect(json(local).results.map(({ test: id }) => id)).toEqual(['b']);
    const ci = await assay(only, ['--reporter', 'json'], { CI: 'true' });
    expect(ci.exitCode).toBe(2);
    expect(json(ci).findings).toContainEqual(
      expect.objectContaining({ code: 'only_in_ci', file: 'b.test.yaml' }),
    );
  });
});

describe('interrupting', () => {
  test('Ctrl-C stops the run cleanly, writes the summary and exits with 130', async () => {
    const project = createProject({
      'agent.mjs': AGENT,
      'a.test.yaml': PASSING,
      'b.test.yaml': singleStep('hang'),
      'c.test.yaml': PASSING,
    });
    cleanUps.push(() => project.remove());
    const result = await startCli(['run', '--agent', './agent.mjs'], {
      cwd: project.path,
      onStart: (child) =>
        child.stdout!.on('data', (text: Buffer) => text.includes('a.test.yaml') && child.kill('SIGINT')),
    });
    expect(result.exitCode).toBe(130);
    expect(result.stdout).toContain('1 passed');
    expect(result.stdout).toContain('Interrupted');
  });
});
