import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { loadSuite } from '../../src/load/load-suites.ts';
import { effort } from '../effort.ts';
import { CLI, ROOT, USER_ENV } from './assay-process.ts';
import { pages, readSnippets, type Snippet } from './read-snippets.ts';
import { Workspace } from './workspace.ts';

const CHECKED_LANGUAGES = new Set([
  'yaml',
  'json',
  'jsonl',
  'csv',
  'ts',
  'js',
  'python',
  'sh',
  'lua',
  'toml',
  'ini',
]);
/** Those of frameworks need their packages: test/long runs them. */
const checkedPages = pages(ROOT).filter((page) => !page.startsWith('docs/frameworks/'));
/** Of the others, `npm test` checks the files and leaves the commands to `npm run test:long`. */
const EVERYBODY_READS = new Set(['README.md', 'docs/quick-start.md']);
const allSnippets = checkedPages.flatMap((page) => readSnippets(ROOT, page));

/** A page is read from top to bottom: what a snippet writes, the ones below it use. */
describe.each(
  checkedPages.filter((page) => allSnippets.some((snippet) => snippet.page === page && isTested(snippet))),
)('%s', (page) => {
  let workspace: Workspace;
  let printed = '';
  beforeAll(async () => {
    workspace = await Workspace.create();
  });
  afterAll(() => workspace.remove());

  for (const snippet of readSnippets(ROOT, page).filter(isTested)) {
    const { line, language, directives, text } = snippet;
    const title = `line ${line}: ${language} ${directives.get('file') ?? ''}`;
    if (directives.has('not run')) {
      test.skip(`${title} (${directives.get('not run')})`);
    } else if (language === 'text') {
      test(title, () => expect(withoutNoise(text)).toBe(withoutNoise(printed)));
    } else if (isCommand(snippet)) {
      test(title, () => {
        printed = runCommands(snippet, workspace.path);
      });
    } else {
      test(title, () => checkFile(snippet, workspace));
    }
  }
});

function isCommand({ language, directives }: Snippet): boolean {
  return language === 'sh' && !directives.has('file');
}

function isTested(snippet: Snippet): boolean {
  const { page, language, directives } = snippet;
  const isOutput = language === 'text';
  if (isOutput && !directives.has('output')) return false;
  return !(isOutput || isCommand(snippet)) || effort({ short: EVERYBODY_READS.has(page), long: true });
}

test('every snippet is checked or says why not', () => {
  const unchecked = allSnippets.filter(
    ({ language }) => !CHECKED_LANGUAGES.has(language) && language !== 'text',
  );
  expect(unchecked.map(({ page, line, language }) => `${page}:${line} ${language}`)).toEqual([]);
  const reasons = allSnippets
    .filter(({ directives }) => directives.has('not run'))
    .map(({ directives }) => directives.get('not run')!);
  expect(reasons.every((reason) => reason.length > 10)).toBe(true);
  expect(reasons.length).toBeLessThanOrEqual(4);
});

test('the TypeScript of docs and examples type-checks', async () => {
  const workspace = await Workspace.create();
  const folder = join(workspace.path, 'types');
  mkdirSync(folder);
  const example = readFileSync(join(ROOT, 'examples/flight-booking/agent.ts'), 'utf8');
  // Snippets import it as their own agent.
  for (const name of ['example.ts', 'agent.ts']) writeFileSync(join(folder, name), example);
  for (const { page, line, text } of allSnippets.filter(({ language }) => language === 'ts')) {
    writeFileSync(join(folder, `${basename(page, '.md')}-${line}.ts`), text);
  }
  const paths = {
    assay: [join(ROOT, 'dist/types/index.d.ts')],
    'assay/judge': [join(ROOT, 'dist/types/judge.d.ts')],
    'assay/python-re': [join(ROOT, 'dist/types/python-re.d.ts')],
  };
  const compilerOptions = { paths, typeRoots: [join(ROOT, 'node_modules/@types')] };
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['.'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const { stdout } = run(join(ROOT, 'node_modules/.bin/tsc'), [], folder);
  workspace.remove();
  // The details of any problem are on lines of their own.
  const problems = stdout.split('\n').filter((line) => line !== '' && !/^[. ]/.test(line));
  expect(problems).toEqual([]);
});

async function checkFile({ line, language, text, directives }: Snippet, workspace: Workspace): Promise<void> {
  const name = directives.get('file') ?? `snippet-${line}.${EXTENSIONS[language]}`;
  const file = join(workspace.path, name);
  workspace.write(name, text, { executable: directives.has('executable') });
  if (directives.has('data')) return;
  if (/^(?:assay\.config\.|targets\.yaml$)/.test(basename(name))) {
    const { findings, targetFindings } = await loadConfig(file);
    expect([...findings, ...[...targetFindings.values()].flat()]).toEqual([]);
  } else if (['yaml', 'json', 'jsonl'].includes(language)) {
    const { findings } = await loadSuite(file, workspace.path);
    expect(findings.map(({ code }) => code)).toEqual(
      directives.has('finding') ? [directives.get('finding')] : [],
    );
  } else if (language === 'python') {
    expect(run('python3', ['-m', 'py_compile', file], workspace.path)).toMatchObject({
      status: 0,
      stderr: '',
    });
  } else if (language === 'ts' && !directives.has('file')) {
    expect(run(join(ROOT, 'node_modules/.bin/jiti'), [file], workspace.path)).toMatchObject({
      status: 0,
      stderr: '',
    });
  } else {
    expect(directives.has('file'), 'a program must be used by a command below it').toBe(true);
  }
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  yaml: 'test.yaml',
  json: 'test.json',
  jsonl: 'jsonl',
  ts: 'ts',
  python: 'py',
  lua: 'lua',
  toml: 'toml',
};

const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly name: string };

/** Runs the lines of a block that are commands of ours, and answers with what they printed. */
function runCommands({ text, directives }: Snippet, cwd: string): string {
  let stdout = '';
  for (const line of text.split('\n')) {
    const command = line.replace(/^npm ci && /, '');
    if (command === '' || command.startsWith('#') || NOT_OURS.test(command)) continue;
    if (command.startsWith('npm install ')) {
      expect(command).toBe(`npm install --save-dev ${PACKAGE.name}`);
      continue;
    }
    expect(command).toMatch(/^(?:npx )?assay /);
    const result = run(
      'sh',
      ['-c', command.replace(/^(?:npx )?assay /, `'${process.execPath}' '${CLI}' `)],
      cwd,
    );
    expect(result, `${line}\n${result.stdout}${result.stderr}`).toMatchObject({
      status: Number(directives.get('exit') ?? 0),
    });
    stdout += result.stdout;
  }
  if (directives.get('output') === 'json') expect(JSON.parse(stdout)).toHaveProperty('results');
  return stdout;
}

/** Commands of the repository itself. */
const NOT_OURS = /^npm (?:ci|test|run)\b/;

function run(
  program: string,
  args: readonly string[],
  cwd: string,
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(program, args, { cwd, env: USER_ENV, encoding: 'utf8', timeout: 25_000 });
}

function withoutNoise(text: string): string {
  return text
    .replaceAll(/\d+(?:\.\d+)? m?s\b/g, '<time>')
    .replaceAll(/<time> \([+-]\d+%\)/g, '<time>')
    .replaceAll(/\d{8}T\d{6}-\d{3}-[\da-f]{8}/g, '<run>')
    .replaceAll(/ +$/gm, '')
    .trim();
}
