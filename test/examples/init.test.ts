import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { frameworkFiles } from '../../src/cli/init/framework-files.ts';
import { FRAMEWORKS } from '../../src/cli/init/framework-names.ts';
import { templateFiles } from '../../src/cli/init/template-files.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { loadSuite } from '../../src/load/load-suites.ts';
import { createProject, ROOT, runAssay, type Project } from '../docs/assay-process.ts';

let project: Project;
beforeEach(() => {
  project = createProject({});
});
afterEach(() => project.remove());

const init = (...args: string[]) => runAssay(['init', ...args], project.path);
const run = (...args: string[]) => runAssay(['run', ...args], project.path);

test('the templates are the files of the flight booking example', () => {
  const files = [...templateFiles('typescript'), ...templateFiles('python')].filter(
    ({ name }) => name !== 'assay.config.yaml',
  );
  for (const { name, text } of files)
    expect(text).toBe(readFileSync(join(ROOT, 'examples/flight-booking', name), 'utf8'));
});

test('in the current folder: what it writes runs', async () => {
  expect(await init()).toEqual({
    exitCode: 0,
    stderr: '',
    stdout:
      'Wrote agent.ts, booking.test.yaml and assay.config.yaml to this folder.\n\nNext: npx assay run\n',
  });
  expect(await run()).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringContaining('1 passed') });
});

test('in a new folder, in Python', async () => {
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

test('nothing is overwritten', async () => {
  writeFileSync(join(project.path, 'agent.ts'), 'mine');
  const result = await init();
  expect(result).toMatchObject({ exitCode: 2, stdout: '' });
  expect(result.stderr).toBe(
    'assay: agent.ts is in this folder already; nothing was written\n  hint: name a folder that is empty or does not exist yet\n',
  );
  expect(readFileSync(join(project.path, 'agent.ts'), 'utf8')).toBe('mine');
  expect(existsSync(join(project.path, 'booking.test.yaml'))).toBe(false);
});

test('a language without an example, two folders, a file instead of a folder', async () => {
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

test('for a framework', async () => {
  expect(await init('--framework', 'langgraph')).toMatchObject({
    exitCode: 0,
    stdout:
      'Wrote agent.ts, weather.test.yaml and assay.config.yaml to this folder.\n\nNext: npx assay run\n',
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

test('a framework without an example, and a framework with a language', async () => {
  expect(await init('--framework', 'lang-graph')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('did you mean `langgraph`?'),
  });
  expect(await init('--framework', 'openai', '--language', 'python')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('exclude each other'),
  });
});
