import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LanguageClient } from '../editors/language-client.ts';
import { CLI, createProject, runCli } from '../project.ts';

// An empty input is a warning, which `strict` makes an error.
const SUITE = '{ id: empty, input: "", assert: { output.includes: a } }\n';
const project = createProject({
  'assay.config.yaml': 'agent: ./agent.mjs\ninclude: evals/*.yaml\nstrict: true\nretry: 0\n',
  'agent.mjs': `import { appendFileSync } from 'node:fs';
export const agent = () => { appendFileSync('calls', 'x'); throw Object.assign(new Error('down'), { status: 503 }); };
`,
  'evals/warned.yaml': 'tests:\n  - { id: empty, input: "", assert: [{ type: contains, value: a }] }\n',
  'other.test.yaml': '{ id: other, input: x, assert: { output.includes: a } }\n',
});
afterAll(() => project.remove());

/** What the library says, in a process of its own. */
function library(options: object): { exit: number; findings: string[]; tests: string[] } {
  const script = `import { run } from ${JSON.stringify(pathToFileURL(resolve('dist/index.js')).href)};
const { exit_code, findings, records } = await run(${JSON.stringify({ record: false, ...options })});
process.stdout.write(JSON.stringify({ exit: exit_code, findings: findings.map(({ code, severity }) => code + ' ' + severity), tests: records.map(({ test, retries }) => test + ' ' + (retries ?? 0)) }));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: project.path,
    encoding: 'utf8',
  });
  return JSON.parse(stdout) as ReturnType<typeof library>;
}

test('the library takes `include`, `strict` and `retry` from the config, and options are stronger', () => {
  expect(library({})).toMatchObject({ exit: 2, findings: ['empty_input error'], tests: [] });
  expect(library({ strict: false })).toMatchObject({
    exit: 3,
    findings: ['empty_input warning'],
    tests: ['empty 0'],
  });
  expect(library({ paths: ['other.test.yaml'] }).tests).toEqual(['other 0']);
});

test('validate, check, show and the language server agree with it', async () => {
  const { path: cwd } = project;
  const validated = await runCli(['validate', '--json'], { cwd });
  expect([validated.exitCode, JSON.parse(validated.stdout)]).toMatchObject([
    2,
    {
      findings: [{ file: 'evals/warned.yaml', code: 'empty_input', severity: 'error' }],
      summary: { files: 1 },
    },
  ]);
  const checked = await runCli(['check', '--json'], { cwd });
  expect([checked.exitCode, checked.stdout]).toEqual([2, expect.stringContaining('empty_input')]);
  expect((await runCli(['show', '--json'], { cwd })).stdout).not.toContain('other');
  const client = new LanguageClient([CLI, 'lsp', '--stdio'], { cwd });
  await client.ready();
  const uri = pathToFileURL(resolve(cwd, 'other.test.yaml')).href;
  expect(await client.check(uri, SUITE)).toMatchObject([{ code: 'empty_input', severity: 1 }]);
  await client.end();
});
