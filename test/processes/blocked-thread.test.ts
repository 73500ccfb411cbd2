import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, startCli } from '../project.ts';
import { runFolders } from '../run-folders.ts';

const AGENT = `import { execSync } from 'node:child_process';
const waits = {
  loop() { for (;;); },
  'wait for memory'() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); },
  pattern() { /^(a+)+$/.test('a'.repeat(60) + 'b'); },
  program() { execSync('sleep 300; echo x'); },
  async later() { await new Promise((resolve) => setTimeout(resolve, 20)); for (;;); },
};
export const agent = async (input) => {
  await waits[input]?.();
  return { output: 'hello ' + input };
};
`;

/** Only what shares the process of Assay can block it. */
const IN_PROCESS = 'targets: [{ name: default, agent: ./agent.mjs, isolate: false }]\n';

describe('code that blocks the thread', () => {
  let project: ReturnType<typeof createProject>;
  const ways = ['loop', 'wait for memory', 'pattern', 'program', 'later'];
  const suite = (way: string): string =>
    ['first', way, 'last']
      .map((input) => `- id: ${input}\n  input: ${input}\n  assert: { output.includes: hello }\n`)
      .join('');

  beforeAll(() => {
    const suites = ways.map((way, index) => [`${index}.test.yaml`, suite(way)]);
    project = createProject({
      'agent.mjs': AGENT,
      'assay.config.yaml': IN_PROCESS,
      ...Object.fromEntries(suites),
    });
  });
  afterAll(() => project.remove());

  test.each(ways.map((way, index) => ({ way, file: `${index}.test.yaml` })))(
    'in a $way ends the run with exit 3, is named and recorded, and a resumed run goes past it',
    async ({ way, file }) => {
      const args = ['run', file, '--timeout', '1s'];
      const { stderr, exitCode } = await startCli(args, { cwd: project.path });
      expect(exitCode).toBe(3);
      expect(stderr).toContain(`${file}:4 ${way}`);
      expect(stderr).not.toContain('debugger');
      const [, runId] = /hint: continue without it: .* --resume=(\S+)$/m.exec(stderr)!;
      const journal = join(
        runFolders(project.path).find((path) => path.endsWith(runId!))!,
        'results.jsonl',
      );
      const records = readFileSync(journal, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { test?: string; verdict?: string; error?: { kind: string } });
      expect(records.slice(1)).toMatchObject([
        { test: 'first', verdict: 'passed' },
        { test: way, verdict: 'error', error: { kind: 'timeout' } },
      ]);
      const resumed = await startCli([...args, `--resume=${runId}`], { cwd: project.path });
      expect(resumed.exitCode).toBe(3);
      expect(resumed.stdout).toContain('1 errored, 2 passed (3)');
    },
    30_000,
  );

  test('in what an agent leaves behind does not keep the process', async () => {
    const left = createProject({
      'agent.mjs': `export const agent = (input) => { const next = () => process.nextTick(next); next(); return input; };\n`,
      'assay.config.yaml': IN_PROCESS,
      'a.test.yaml': 'id: a\ninput: hello\nassert: { output.includes: hello }\n',
    });
    const { stderr, exitCode } = await startCli(['run', '--timeout', '1s'], { cwd: left.path });
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/blocks the process.*, so the run was ended/);
    left.remove();
  }, 30_000);

  test('in an evaluator ends the run as well', async () => {
    const own = createProject({
      'check.mjs': `export const endless = { evaluate() { for (;;); } };\n`,
      'assay.config.yaml': 'evaluators: check.mjs\n',
      'a.eval.yaml': 'tests:\n  - id: a\n    input: hello\n    assert: [{ type: endless }]\n',
    });
    const args = ['run', '--agent', 'cmd: echo hello', '--timeout', '1s'];
    const { stderr, stdout, exitCode } = await startCli(args, { cwd: own.path });
    expect(exitCode, stdout + stderr).toBe(3);
    expect(stderr).toMatch(/blocks the process/);
    own.remove();
  }, 30_000);
});
