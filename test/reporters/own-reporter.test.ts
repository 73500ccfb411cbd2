import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

async function run(files: Readonly<Record<string, string>>, ...reporters: string[]) {
  const project = createProject({
    'agent.mjs': 'export const agent = (input) => ({ output: input });',
    'a.test.yaml':
      '- {id: one, input: a, assert: {output.equals: a}}\n- {id: two, input: a, assert: {output.equals: b}}\n',
    ...files,
  });
  cleanUps.push(() => project.remove());
  const args = ['run', '--agent', './agent.mjs', ...reporters.flatMap((name) => ['--reporter', name])];
  const result = await runCli(args, { cwd: project.path });
  return { ...result, read: (name: string) => readFileSync(join(project.path, name), 'utf8') };
}

describe('a custom reporter', () => {
  test("may be TypeScript, with the package's types and a factory as default export", async () => {
    const reporter = `
import type { ReporterFactory } from 'assay';
const verdicts: Record<string, number> = {};
const create: ReporterFactory = ({ write, options }) => ({
  onResult({ verdict }) { verdicts[verdict] = (verdicts[verdict] ?? 0) + 1; },
  onRunEnd: ({ exit_code }) => write(\`\${JSON.stringify(verdicts)} \${exit_code} \${options.file ?? 'stdout'}\\n\`),
});
export default create;`;
    const { stdout, exitCode } = await run({ 'my.ts': reporter }, './my.ts');
    expect({ stdout, exitCode }).toEqual({ stdout: '{"passed":1,"failed":1} 1 stdout\n', exitCode: 1 });
    const toFile = await run({ 'my.ts': reporter }, './my.ts=out/my.txt');
    expect(toFile.read('out/my.txt')).toBe('{"passed":1,"failed":1} 1 out/my.txt\n');
    expect(toFile.stdout).toContain('Tests  1 failed, 1 passed (2)');
  });

  test.each([
    [
      'a reporter as the default export',
      'my.mjs',
      'export default { onResult: ({ test }) => console.error("saw " + test) };',
    ],
    [
      'an export `reporter`',
      'my.mjs',
      'export const reporter = () => ({ onResult: ({ test }) => console.error("saw " + test) });',
    ],
    [
      'an async factory',
      'my.js',
      'export default async () => ({ onResult: async ({ test }) => console.error("saw " + test) });',
    ],
    [
      'CommonJS',
      'my.cjs',
      'module.exports = { reporter: { onResult: ({ test }) => console.error("saw " + test) } };',
    ],
    [
      'an instance of a class',
      'my.mjs',
      'class Mine { onResult({ test }) { console.error("saw " + test); } }\nexport default new Mine();',
    ],
  ])('%s', async (_, name, text) => {
    const { stderr, exitCode } = await run(
      { [name]: text, 'package.json': '{"type":"module"}' },
      `./${name}`,
    );
    expect({ stderr, exitCode }).toEqual({ stderr: 'saw one\nsaw two\n', exitCode: 1 });
  });

  test('prints text that does not get into the report', async () => {
    const { stdout, stderr } = await run(
      {
        'my.mjs':
          'export default ({ write }) => ({ onRunEnd() { console.log("noise"); write("report\\n"); } });',
      },
      './my.mjs',
    );
    expect({ stdout, stderr }).toEqual({ stdout: 'report\n', stderr: 'noise\n' });
  });
});

describe('mistakes that are reported before anything runs', () => {
  test.each([
    ['no such file', {}, './nothing.mjs', 'the reporter ./nothing.mjs cannot be loaded', 'check the path'],
    [
      'it throws',
      { 'my.mjs': 'throw new Error("no");' },
      './my.mjs',
      'the reporter ./my.mjs cannot be loaded: Error: no',
      'fix the module',
    ],
    [
      'no reporter in it',
      { 'my.mjs': 'export const other = 1;' },
      './my.mjs',
      './my.mjs exports no reporter (it exports other)',
      'write `export default',
    ],
    [
      'not a reporter',
      { 'my.mjs': 'export default 5;' },
      './my.mjs',
      'the reporter of ./my.mjs is number',
      'write `export default',
    ],
    [
      'an object of something else',
      { 'my.mjs': 'export default { onEnd() {} };' },
      './my.mjs',
      'it needs at least one of onRunStart, onFinding',
      'write `export default',
    ],
    [
      'a factory that throws',
      { 'my.mjs': 'export default () => { throw new Error("no"); };' },
      './my.mjs',
      'the reporter ./my.mjs cannot be created: Error: no',
      'fix the module',
    ],
  ])('%s', async (_, files, reporter, problem, hint) => {
    const { stdout, stderr, exitCode } = await run(files, reporter);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(`assay: ${problem.startsWith('it') ? '' : problem}`);
    expect(stderr).toContain(problem);
    expect(stderr).toContain(hint);
  });
});

describe('a custom reporter that fails during the run', () => {
  test.each([
    ['throws', 'onResult() { throw new Error("broken"); }'],
    ['rejects', 'async onResult() { throw new Error("broken"); }'],
    ['fails at the end', 'onRunEnd() { throw new Error("broken"); }'],
  ])(
    '%s: it is dropped and reported, the run and the other reports are complete, exit 2',
    async (_, method) => {
      const { stdout, stderr, exitCode, read } = await run(
        { 'my.mjs': `export default ({ write }) => ({ onRunStart: () => write('half'), ${method} });` },
        './my.mjs=my.txt',
        'json=run.json',
      );
      expect(exitCode).toBe(2);
      expect(stderr).toContain('assay: the ./my.mjs report cannot be written to my.txt: broken');
      expect(stderr).toContain('`assay report --reporter ./my.mjs=FILE`');
      expect(stdout).toContain('Tests  1 failed, 1 passed (2)');
      expect(JSON.parse(read('run.json'))).toMatchObject({ exit_code: 1, summary: { tests: 2 } });
      expect(() => read('my.txt')).toThrow('ENOENT');
    },
  );
});
