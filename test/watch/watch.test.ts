import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { createFifo } from '../formats/temp-folder.ts';
import { CLI, createProject, runCli } from '../project.ts';
import { WatchedProject } from './watched-project.ts';

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const project of open.splice(0)) await project.stop();
});

function watched(...args: ConstructorParameters<typeof WatchedProject>): WatchedProject {
  const project = new WatchedProject(...args);
  open.push(project);
  return project;
}

function suite(...tests: readonly (readonly [id: string, input: string, includes: string])[]): string {
  return tests
    .map(
      ([id, input, includes]) => `- {id: ${id}, input: ${input}, assert: {output.includes: ${includes}}}\n`,
    )
    .join('');
}

test('a change runs the tests that it affects, and nothing else', async () => {
  const project = watched(
    {
      'a.test.yaml': suite(['one', 'hi', 'said hi'], ['two', 'bye', 'said bye']),
      'b.eval.yaml':
        'evalcases:\n  - id: three\n    input_messages: [{role: user, content: [{type: file, value: prompt.md}]}]\n    evaluators: [{name: said, type: contains, value: said}]\n',
      'prompt.md': 'from a file',
      'notes.md': 'a',
    },
    {
      args: [
        '--reporter',
        'terminal',
        '--reporter',
        'json=out/all.json',
        '--reporter',
        'jsonl=out/all.jsonl',
      ],
    },
  );
  expect(await project.run()).toContain('3 passed');
  expect(project.called().length).toBe(3);

  project.write('a.test.yaml', suite(['one', 'hello', 'said hello'], ['two', 'bye', 'said bye']));
  expect(await project.run()).toContain('a.test.yaml changed · 1 test, about $0.20');
  expect(project.called().slice(3)).toEqual(['hello']);

  project.write('prompt.md', 'from another file');
  expect(await project.run()).toContain('prompt.md changed · 1 test');
  expect(project.called().length).toBe(5);

  // Neither a file that no test uses, nor one that was saved as it was, runs anything: what is shown next is about another change.
  project.write('notes.md', 'b');
  project.write('prompt.md', 'from another file');
  await sleep(1500);
  project.write('word.mjs', "export const word = 'never';");
  const shown = await project.run();
  expect(shown).toContain('changed · 3 tests, about $0.60');
  expect(shown).toContain('3 failed');
  expect(project.called().length).toBe(8);
  // Its own reports are neither changes nor suites, even though tests are in them.
  expect(project.shown).not.toMatch(/all\.jsonl? (?:and|changed)|suite_not_read/);
});

test('errors in files are shown, and what was there before is not run again once they are fixed', async () => {
  const good = suite(['one', 'hi', 'said hi'], ['two', 'bye', 'said bye']);
  const project = watched({
    'a.test.yaml': good,
    'assay.config.yaml': 'reporter: [terminal, json=out.json]\n',
  });
  await project.run();
  project.write('a.test.yaml', `${good}  bogus: [`);
  expect(await project.run()).toContain('nothing runs until these errors are fixed');
  // As it was before the error: nothing runs, but the errors are no longer what is shown last.
  project.write('a.test.yaml', good);
  expect(await project.run()).toMatch(/a\.test\.yaml changed · nothing to run[^]*2 passed/);
  project.write('a.test.yaml', good.replace('said hi', 'said'));
  expect(await project.run()).toContain('1 recorded reply graded again');
  project.write('assay.config.yaml', 'targets: {');
  expect(await project.run()).toContain('assay.config.yaml:1:10 error');
  rmSync(join(project.path, 'assay.config.yaml'));
  await project.run();
  // Nor an agent that cannot be loaded for a while.
  project.write('word.mjs', 'export const word = (');
  expect(await project.run()).toContain('cannot be loaded');
  project.write('word.mjs', "export const word = 'said';");
  expect(await project.run()).toMatch(/word\.mjs changed · nothing to run, these are the last[^]*2 passed/);
  // A test that is gone for a while comes back with its reply.
  project.write('a.test.yaml', suite(['one', 'hi', 'said hi']));
  expect(await project.run()).toContain('1 passed');
  project.write('a.test.yaml', good);
  expect(await project.run()).toContain('2 passed');
  expect(project.called()).toEqual(['hi', 'bye']);
  // A report that the config asks for is not a change either.
  expect(project.shown).not.toMatch(/out\.json\S* (?:and|changed)/);
});

test('in a terminal, keys select tests, and Assay asks before an expensive run', async () => {
  const project = watched(
    {
      'a.test.yaml': `${suite(['one', 'hi', 'said hi'])}- {id: two, input: bye, assert: {output.equals: other}}\n`,
    },
    { args: ['--ask-above', '0.3', '-t', 'w'], hasTerminal: true },
  );
  // The filter of the command line is one that keys replace.
  expect(await project.shows('Waiting for changes · only tests that match "w"')).toContain('1 failed (1)');
  await project.shows('q quit');
  const filter = async (key: 't' | 'p', typed: string): Promise<string> => {
    project.press(key);
    await project.shows(key === 't' ? 'Only tests whose name matches' : 'Only files whose path contains');
    project.press(`${typed}\r`);
    return project.run();
  };
  expect(await filter('t', '')).toContain('1 failed, 1 passed');
  await project.shows('q quit');
  project.press('f');
  expect(await project.run()).toContain('Tests that did not pass · 1 test, about $0.20');
  expect(project.called()).toEqual(['bye', 'hi', 'bye']);
  // A path is never an option.
  expect(await filter('p', '-u')).toContain('"-u" is not a file or folder');
  await filter('p', '');
  expect(await filter('t', 'one')).toContain('1 passed (1)');
  await filter('t', '');
  expect(project.called().length).toBe(3);
  project.press('a');
  await project.shows('This may cost more than $0.30. Run it?');
  project.press('n');
  await project.run();
  expect(project.called().length).toBe(3);
  project.press('a');
  await project.shows('Run it?');
  project.press('y');
  await project.run();
  expect(project.called().length).toBe(5);
  project.press('u');
  expect(await project.run()).toContain('a.test.yaml');
  // The update is a change of assertions.
  expect(await project.run()).toContain('2 passed');
  expect(project.called().length).toBe(5);
  // What was typed is drawn again with each key, on the same line.
  expect(project.shown).not.toContain(String.raw`\u001b`);
  project.press('q');
  expect(await project.ended).toBe(0);
});

test('in a terminal: Assay asks before the first watched run, too, by what ordinary runs cost', async () => {
  const run = `"${process.execPath}" "${CLI}" run --agent ./agent.mjs`;
  const project = watched(
    { 'a.test.yaml': suite(['one', 'hi', 'said hi'], ['two', 'bye', 'said bye']) },
    { args: ['--ask-above', '0.3'], hasTerminal: true, shell: ['/bin/bash', '-c', `${run}; "$@"`, 'bash'] },
  );
  expect(await project.shows('Run it?')).toContain('Started · 2 tests, about $0.40');
  project.press('n');
  await project.run();
  expect(project.called()).toEqual(['hi', 'bye']);
  project.press('q');
  expect(await project.ended).toBe(0);
});

test('in a terminal: what is saved during a run is run after it, even if a key was pressed that starts nothing', async () => {
  const slow = `
    import { appendFileSync } from 'node:fs';
    export async function agent(input) {
      appendFileSync(process.env.CALLS, input + '\\n');
      await new Promise((resolve) => setTimeout(resolve, 1500));
      return { output: 'said ' + input };
    }`;
  const files = { 'agent.mjs': slow, 'a.test.yaml': suite(['one', 'hi', 'said hi']) };
  const project = watched(files, { hasTerminal: true });
  await vi.waitUntil(() => project.called().length === 1, { timeout: 20_000 });
  project.write('a.test.yaml', suite(['one', 'hi', 'said']));
  project.press('h');
  expect(await project.run()).toContain('1 passed');
  expect(await project.run()).toMatch(/a\.test\.yaml changed · 1 recorded reply graded again[^]*1 passed/);
  project.press('q');
  expect(await project.ended).toBe(0);
});

test('a folder that is removed and comes back is watched again, and Ctrl-C ends the watch', async () => {
  const project = watched({ 'a.test.yaml': suite(['one', 'hi', 'said hi']) });
  await project.run();
  const copy = `${project.path}-copy`;
  cpSync(project.path, copy, { recursive: true });
  rmSync(project.path, { recursive: true });
  await project.shows('no longer exists. Assay waits until it is back.');
  renameSync(copy, project.path);
  expect(await project.run()).toMatch(/The folder is back · nothing to run[^]*1 passed/);
  project.write('a.test.yaml', suite(['one', 'hi', 'never']));
  expect(await project.run()).toMatch(/a\.test\.yaml changed · 1 recorded reply graded again[^]*1 failed/);
  expect(project.shown.match(/no longer exists/g)).toHaveLength(1);
  createFifo(join(project.path, 'pipe'));
  await sleep(500);
  project.write('a.test.yaml', suite(['one', 'hi', 'said']));
  expect(await project.run()).toMatch(/a\.test\.yaml changed[^]*1 passed/);
  expect(project.called()).toEqual(['hi']);
  project.interrupt();
  expect(await project.ended).toBe(130);
});

test('in a terminal: a question keeps the screen, Escape gives it up, and Ctrl-Z stops the watch', async () => {
  const files = { 'a.test.yaml': suite(['one', 'hi', 'said hi'], ['two', 'bye', 'said bye']) };
  // The shell goes on when the watch stops.
  const shell = ['/bin/bash', '-mc', '"$@"; echo STOPPED; fg', 'bash'];
  const project = watched(files, { hasTerminal: true, shell });
  await project.run();
  await project.shows('q quit');
  project.press('t');
  await project.shows('(empty: all): ');
  project.write('a.test.yaml', suite(['one', 'hi', 'said'], ['two', 'bye', 'said bye']));
  project.press('😀x');
  await project.shows('😀x');
  // Neither half a character nor the results of a run come in between.
  project.press('\u007F\u007Fon');
  await sleep(1000);
  expect(await project.shows('(empty: all): on')).not.toMatch(/changed|\uFFFD|\uD83D$/);
  project.press('\u001B');
  expect(await project.run()).not.toContain('passed');
  expect(await project.run()).toMatch(/a\.test\.yaml changed · 1 recorded reply graded again[^]*2 passed/);
  await project.shows('q quit');
  project.press('t');
  await project.shows('(empty: all): ');
  project.press('one\r');
  expect(await project.shows('Waiting for changes · only tests that match "one"')).toContain('1 passed (1)');
  await project.shows('q quit');
  project.press('\u001A');
  await project.shows('STOPPED');
  await project.run();
  await project.shows('q quit');
  // All tests are all: the filter is gone.
  project.press('a');
  expect(await project.run()).toContain('2 passed (2)');
  expect(project.called().length).toBe(4);
  project.press('q');
  expect(await project.ended).toBe(0);
});

test('is refused in CI, and with options that do not fit', async () => {
  const { path, remove } = createProject({ 'a.test.yaml': suite(['one', 'hi', 'said']) });
  try {
    const inCi = await runCli(['watch', '--agent', './agent.mjs'], { cwd: path, env: { CI: 'true' } });
    expect(inCi).toMatchObject({ exitCode: 2 });
    expect(inCi.stderr).toContain('waits for changes');
    const unfit = await runCli(['run', '--watch', '--resume'], { cwd: path });
    expect(unfit).toMatchObject({ exitCode: 2 });
    expect(unfit.stderr).toContain('--resume cannot be used while watching');
  } finally {
    remove();
  }
});
