import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CI_SYSTEMS, LANGUAGES } from '../../src/cli/init/choices.ts';
import { CI_PAGES, ciFile } from '../../src/cli/init/ci-file.ts';
import { describeNeeds } from '../../src/cli/init/framework-needs.ts';
import { readSnippets } from '../docs/read-snippets.ts';
import { frameworkFiles } from '../../src/cli/init/framework-files.ts';
import { FRAMEWORKS } from '../../src/cli/init/framework-names.ts';
import { exampleFiles } from '../../src/cli/init/example-files.ts';
import { loadConfig } from '../../src/suites/config/load-config.ts';
import { loadSuite } from '../../src/suites/load/load-suites.ts';
import { createProject, ROOT, runAssay, type Project } from '../docs/assay-process.ts';

let project: Project;
beforeEach(() => {
  project = createProject({});
});
afterEach(() => project.remove());

const init = (...args: string[]) => runAssay(['init', ...args], project.path);
const run = (...args: string[]) => runAssay(['run', ...args], project.path);

test('programs and servers run in both languages, without findings', async () => {
  for (const kind of ['program', 'server'] as const)
    for (const language of LANGUAGES) {
      const folder = join(project.path, `${kind}-${language}`);
      mkdirSync(folder);
      // The two servers run at the same time here.
      for (const { name, text } of exampleFiles({ kind, language }))
        writeFileSync(join(folder, name), language === 'python' ? text.replaceAll('18735', '18736') : text);
    }
  expect(await run('--strict')).toMatchObject({
    exitCode: 0,
    stderr: '',
    stdout: expect.stringContaining('4 passed'),
  });
});

test('the suggested change makes the test fail', async () => {
  await init('my-tests');
  const file = join(project.path, 'my-tests', 'booking.test.yaml');
  const text = readFileSync(file, 'utf8');
  expect(text.split('Hello Ada')).toHaveLength(2);
  writeFileSync(file, text.replace('Hello Ada', 'Hello Bob'));
  expect(await run('my-tests')).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('1 failed') });
});

test('editors find the schemas of the written files, from any folder', async () => {
  const installed = join(project.path, 'node_modules', 'assay', 'schema');
  mkdirSync(installed, { recursive: true });
  for (const schema of ['steps', 'config']) writeFileSync(join(installed, `${schema}.schema.json`), '{}');
  await init('deep/my tests');
  for (const name of ['booking.test.yaml', 'assay.config.yaml']) {
    const folder = join(project.path, 'deep', 'my tests');
    const [line = ''] = readFileSync(join(folder, name), 'utf8').split('\n');
    const [, path = ''] = /^# yaml-language-server: \$schema=(\S+)$/.exec(line) ?? [];
    expect(existsSync(resolve(folder, path)), line).toBe(true);
    expect(path).toContain(name.includes('config') ? 'config.schema.json' : 'steps.schema.json');
  }
});

test.each(CI_SYSTEMS.filter((system) => system !== 'none'))(
  'the pipeline for %s is the one in the docs',
  (system) => {
    const snippets = readSnippets(ROOT, `docs/${CI_PAGES[system]}`).map(({ text }) => text.trimEnd());
    expect(snippets).toContain(ciFile(system, 'npx assay run tests').text.trimEnd());
    // A folder's name stays part of the command.
    const odd = "npx assay run 'a: b #c'";
    expect(JSON.stringify(parse(ciFile(system, odd).text))).toContain(odd);
  },
);

test('a pipeline is written at the root, runs the folder, and never overwrites another one', async () => {
  expect(await init('my-tests', '--ci', 'circleci')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('to my-tests, and .circleci/config.yml.\n'),
  });
  const file = join(project.path, '.circleci/config.yml');
  expect(readFileSync(file, 'utf8')).toContain('command: npx assay run my-tests --reporter');
  writeFileSync(file, 'mine');
  expect(await init('other', '--ci', 'circleci')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(
      'Wrote other/assay.config.yaml\nKept .circleci/config.yml, which is yours: add the job of docs/ci-others.md to it\n',
    ),
  });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(await init('../elsewhere', '--ci', 'github')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('is not in this folder'),
  });
  mkdirSync(join(project.path, '.git'));
  mkdirSync(join(project.path, 'part'));
  const inPart = await runAssay(['init', '--ci', 'github'], join(project.path, 'part'));
  expect(inPart).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('the root of the repository'),
  });
  expect(readdirSync(join(project.path, 'part'))).toEqual([]);
});

test.each(FRAMEWORKS)(
  'the requirements of the example for %s are those that its page installs',
  (framework) => {
    const page = readFileSync(join(ROOT, `docs/frameworks/${framework}.md`), 'utf8');
    const [, packages] = /^npm install (.+?)(?:,|$)/.exec(describeNeeds(framework)) ?? [];
    if (packages === undefined) expect(describeNeeds(framework)).toMatch(/^install `\w+`/);
    else expect(page).toContain(`npm install ${packages}\n`);
  },
);

test('in the current folder, the written files run', async () => {
  expect(await init()).toEqual({
    exitCode: 0,
    stderr: '',
    stdout:
      'Wrote agent.ts, booking.test.yaml and assay.config.yaml to this folder.\n\nNext: npx assay run\nTo see the test fail, change "Hello Ada" to "Hello Bob" in booking.test.yaml and run it again.\n',
  });
  expect(await run()).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringContaining('1 passed') });
});

test('in a new folder, the written Python files run', async () => {
  expect(await init('my tests', '--language', 'python')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("Next: npx assay run 'my tests'\n"),
  });
  expect(existsSync(join(project.path, 'my tests', 'agent.py'))).toBe(true);
  expect(existsSync(join(project.path, 'my tests', 'agent.ts'))).toBe(false);
  expect(await run('my tests')).toMatchObject({
    exitCode: 0,
    stderr: '',
    stdout: expect.stringContaining('1 passed'),
  });
});

test('existing files are not overwritten', async () => {
  writeFileSync(join(project.path, 'agent.ts'), 'mine');
  const result = await init();
  expect(result).toMatchObject({ exitCode: 2, stdout: '' });
  expect(result.stderr).toBe(
    'assay: agent.ts exists already; nothing was written\n  hint: name a folder that is empty or does not exist yet\n',
  );
  expect(readFileSync(join(project.path, 'agent.ts'), 'utf8')).toBe('mine');
  expect(existsSync(join(project.path, 'booking.test.yaml'))).toBe(false);
});

test('a project gets what it lacks, and keeps the rest, however often it is asked for', async () => {
  const own = { 'agent.ts': 'mine', 'assay.config.yml': 'agent: ./agent.ts\n', 'conftest.py': 'import os\n' };
  for (const [name, text] of Object.entries(own)) writeFileSync(join(project.path, name), text);
  const asked = ['--ci', 'github', '--pytest', '--skill', '--framework', 'ai-sdk'];
  const added = ['agent.ai-sdk.ts', 'weather.test.yaml', '.github/workflows/assay.yaml', 'assay_pytest.py'];
  const first = await init(...asked);
  expect(first.exitCode).toBe(0);
  for (const name of added) expect(first.stdout).toContain(`Wrote ${name}\n`);
  expect(first.stdout).toContain('Kept assay.config.yml, which is yours');
  expect(first.stdout).toContain(
    'Kept conftest.py, which is yours: add this line to it: pytest_plugins = ["assay_pytest"]\n',
  );
  expect(first.stdout).toContain('Next: npx assay run weather.test.yaml --agent ./agent.ai-sdk.ts\n');
  const before = filesIn(project.path);
  const second = await init(...asked);
  expect(second.exitCode).toBe(0);
  for (const name of added) expect(second.stdout).toContain(`Unchanged ${name}\n`);
  expect(second.stdout).not.toContain('Wrote');
  expect(filesIn(project.path)).toEqual(before);
  expect(before).toMatchObject(own);
});

test('a project with tests gets a pipeline without an example', async () => {
  mkdirSync(join(project.path, 'evals'));
  writeFileSync(join(project.path, 'evals/mine.eval.yaml'), 'tests: []\n');
  expect(await init('--ci', 'gitlab')).toMatchObject({ exitCode: 0, stdout: 'Wrote .gitlab-ci.yml\n' });
});

function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [relative(folder, path), readFileSync(path, 'utf8')];
    }),
  );
}

test('an unknown language, two folders, or a file in place of a folder is an error', async () => {
  expect(await init('--language', 'pyton')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('did you mean `python`?'),
  });
  expect(await init('a', 'b')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('init takes one folder'),
  });
  expect(await init('package.json')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('cannot be written'),
  });
});

test('an example for a framework is written', async () => {
  expect(await init('--framework', 'langgraph')).toMatchObject({
    exitCode: 0,
    stdout:
      'Wrote agent.ts, weather.test.yaml and assay.config.yaml to this folder.\n\nFirst: npm install @langchain/langgraph @langchain/openai langchain zod, and set OPENAI_API_KEY\nNext: npx assay run\n',
  });
  expect(await init('program', '--framework', 'codex')).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(project.path, 'program', 'lines.test.yaml'))).toBe(true);
});

test.each(FRAMEWORKS)('the suites for %s have no findings', async (framework) => {
  for (const { name, text } of frameworkFiles(framework)) {
    const file = join(project.path, name);
    writeFileSync(file, text);
    if (!name.endsWith('.yaml')) continue;
    const { findings } = await (name.includes('.test.') ? loadSuite(file, project.path) : loadConfig(file));
    expect(findings).toEqual([]);
  }
});

test('an unknown framework, or a framework with a language, is an error', async () => {
  expect(await init('--framework', 'lang-graph')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('did you mean `langgraph`?'),
  });
  expect(await init('--framework', 'openai', '--language', 'python')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('exclude each other'),
  });
  expect(await init('--framework', 'openai', '--kind', 'server')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('exclude each other'),
  });
});
