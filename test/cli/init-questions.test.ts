import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inTerminal } from '../in-terminal.ts';
import { CLI, createProject, runCli } from '../project.ts';

const DOWN = '\u001B[B';
const ENTER = '\r';
const ESCAPE = '\u001B';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

/** What to type when the terminal shows a text that it has not shown before. */
type Typed = readonly (readonly [shown: string, keys: string])[];

interface Answered {
  readonly shown: string;
  readonly exitCode: number | null;
  readonly path: string;
  /** The files of the project, sorted. */
  readonly files: readonly string[];
}

async function init(
  typed: Typed,
  { args = [], env = {} }: { args?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
): Promise<Answered> {
  const { path, remove } = createProject({});
  onTestFinished(remove);
  const [program, ...words] = inTerminal([process.execPath, CLI, 'init', ...args]);
  const child = spawn(program!, words, {
    cwd: path,
    env: { ...process.env, CI: 'false', ASSAY_AGENT: '0', TERM: 'xterm', NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  let seen = 0;
  const waiting = [...typed];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const at = waiting.length === 0 ? -1 : shown.indexOf(waiting[0]![0], seen);
    if (at === -1) return;
    const [found, keys] = waiting.shift()!;
    seen = at + found.length;
    child.stdin.write(keys);
  });
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  expect(waiting, shown).toEqual([]);
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return { shown, exitCode, path, files: files.filter((name) => /[^/]\.\w+$/.test(name)).toSorted() };
}

test('on a terminal, the answers decide which files are written, and they run', async () => {
  const { shown, exitCode, path, files } = await init([
    ['What is your agent?', DOWN + ENTER],
    ['Which language?', DOWN + ENTER],
    ['Where do the tests run in CI?', DOWN + DOWN + ENTER],
  ]);
  expect(exitCode, shown).toBe(0);
  expect(shown).toContain('Next: npx assay run');
  // Without colours, as the environment wants.
  // eslint-disable-next-line no-control-regex
  expect(shown).not.toMatch(/\u001B\[[\d;]*[1-9]m/);
  expect(files).toEqual([
    '.gitlab-ci.yml',
    'agent.py',
    'assay.config.yaml',
    'booking.test.yaml',
    'package.json',
    'program.py',
  ]);
  expect(readFileSync(join(path, '.gitlab-ci.yml'), 'utf8')).toContain('- npx assay run --reporter');
  expect(await runCli(['run', '--strict'], { cwd: path })).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('1 passed') as unknown,
  });
});

test('a framework needs no question about the language, and options answer their questions', async () => {
  const framework = await init([
    ['What is your agent?', DOWN.repeat(3) + ENTER],
    ['Which framework', DOWN + ENTER],
    ['Where do the tests run in CI?', ENTER],
  ]);
  expect(framework).toMatchObject({ exitCode: 0 });
  expect(framework.shown).not.toContain('Which language?');
  expect(framework.shown).toContain('First: npm install @openai/agents zod, and set OPENAI_API_KEY');
  const given = await init([['Where do the tests run in CI?', ENTER]], {
    args: ['--kind', 'server', '--language', 'python'],
  });
  expect(given.files).toContain('server.py');
  expect(given.shown).not.toContain('What is your agent?');
});

test.each([
  ['Ctrl-C', CTRL_C],
  ['Ctrl-D', CTRL_D],
  ['Escape', ESCAPE],
])('%s leaves nothing behind, at the last question too', async (_name, key) => {
  const { shown, exitCode, files } = await init([
    ['What is your agent?', ENTER],
    ['Which language?', ENTER],
    ['Where do the tests run in CI?', key],
  ]);
  expect({ exitCode, files }).toEqual({ exitCode: 130, files: ['package.json'] });
  // After the questions: nothing that they draw comes later.
  expect(shown).toMatch(/Nothing was written\.\r\n$/);
});

test.each([
  ['--yes', { args: ['--yes'] }],
  ['CI', { env: { CI: 'true' } }],
  ['a coding agent', { env: { ASSAY_AGENT: '1' } }],
  ['every option', { args: ['--kind', 'function', '--language', 'typescript', '--ci', 'none'] }],
])('%s asks no questions', async (_name, options) => {
  const { shown, exitCode, files } = await init([], options);
  expect({ exitCode, files }).toEqual({
    exitCode: 0,
    files: ['agent.ts', 'assay.config.yaml', 'booking.test.yaml', 'package.json'],
  });
  expect(shown).not.toContain('?');
});
