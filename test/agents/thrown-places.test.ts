import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeThrown } from '../../src/agents/describe-thrown.ts';
import { loadModule } from '../../src/agents/load-module.ts';
import { loadConfig } from '../../src/suites/config/load-config.ts';
import { createProject, runCli } from '../project.ts';

function projectWith(files: Readonly<Record<string, string>>): string {
  const project = createProject(files);
  onTestFinished(() => project.remove());
  return project.path;
}

/** The place of a text in the source, counted as in an editor. */
function placeIn(source: string, text: string): string {
  const lines = source.slice(0, source.indexOf(text)).split('\n');
  return `${lines.length}:${lines.at(-1)!.length + 1}`;
}

// Node alone runs no enums, so each of these is compiled by jiti, whichever Node this is.
test.each([
  [
    'in line 1',
    "enum Kind { A } export function agent(input: string, memory: { a?: Kind }): string { throw new Error('x'); }\n",
  ],
  [
    'after types in the same line',
    "enum Kind {\n  A,\n}\nexport function agent(input: string, memory: { a?: Kind }): string {\n  const kind: Kind = Kind.A; if (kind as unknown as boolean || true) throw new Error('x' as string);\n  return input;\n}\n",
  ],
  [
    'in async code with an import',
    "import { sep } from 'node:path'; enum Kind { A = 'a' } export async function agent(input: string): Promise<string> { await null; throw new Error('x' + sep + Kind.A); }\n",
  ],
])("a stack trace has the author's line and column: %s", async (_name, source) => {
  const root = projectWith({ 'my (first) agent.ts': source });
  const file = join(root, 'my (first) agent.ts');
  const { agent } = (await loadModule(file, { root })) as { agent: (input: string) => unknown };
  const thrown: unknown = await (async () => agent('hi'))().catch((error: unknown) => error);
  expect(describeThrown(thrown, import.meta.filename)).toContain(
    `my (first) agent.ts:${placeIn(source, 'new Error')}`,
  );
});

test.each([
  ["export default {\n  agent: (() => { throw new Error('one\\ntwo'); })(),\n};\n", '2:25', 'Error: one two'],
  ['enum A { B }\nexport default {\n  targets: [ }\n', '3:14', 'SyntaxError: Unexpected token'],
  ["import './missing.ts';\nexport default {};\n", '1:8', /missing\.ts does not exist$/],
  [
    "\nthrow { reason: 'none',\n  list: ['a long text that makes this more than one line', 'another', 'and one more of them'] };\n",
    '1:1',
    "{ reason: 'none', list: [ 'a long text that makes this more than one line', 'another', 'and one more of them' ] }",
  ],
])('a config that fails is reported in one line, at the place that failed: %j', async (source, at, what) => {
  const file = join(projectWith({ 'assay.config.ts': source }), 'assay.config.ts');
  const { findings } = await loadConfig(file);
  expect(findings.map(({ message, line, column }) => [`${line}:${column}`, message])).toEqual([
    [at, typeof what === 'string' ? `the config cannot be loaded: ${what}` : expect.stringMatching(what)],
  ]);
});

test('the reported stack has no line of Assay or its compiler', async () => {
  const cwd = projectWith({
    'assay.config.ts': "import { read } from './settings.ts';\nexport default { agent: read() };\n",
    'settings.ts':
      "enum A { B }\nexport function read(): string {\n  throw new TypeError('no settings\\n  in here' + A.B);\n}\n",
    'a.test.yaml': 'input: hi\nassert: { output.includes: hi }\n',
  });
  const { stderr, exitCode } = await runCli(['run'], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr.split('\n')[0]).toBe(
    'assay.config.ts:1:1 error the config cannot be loaded: TypeError: no settings in here0 (at settings.ts:3:9) (config)',
  );
  expect(stderr).not.toContain('\\n');
});
