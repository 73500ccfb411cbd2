import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Output } from '../../src/cli/command.ts';
import { main } from '../../src/cli/main.ts';
import { createProject } from '../project.ts';

/* Commands that follow each other in one process, as in test/warm-cli.cjs: none may notice the one before. */

const AGENT =
  "process.on('exit', () => {});\nprocess.on('SIGUSR2', () => {});\nexport default () => 'paris';\n";
const SUITE = `
tests:
  - id: capital
    input: capital of France?
    expected_output: paris
    evaluators: [{ type: match }]
`;

const before = process.cwd();
let project: ReturnType<typeof createProject>;
beforeEach(() => {
  project = createProject({ 'agent.mjs': AGENT, 'a.test.yaml': SUITE });
  process.chdir(project.path);
});
afterEach(() => {
  process.chdir(before);
  project.remove();
});

test('50 commands leave no listener, and nothing of the process is replaced', async () => {
  // What is loaded with the first one stays.
  await assay('run', '--agent', './agent.mjs');
  const earlier = traces();
  const commands = [['run', '--agent', './agent.mjs'], ['validate'], ['show'], ['report', '--json'], ['zzz']];
  const exitCodes = new Set<number>();
  for (let number = 0; number < 50; number++)
    exitCodes.add((await assay(...commands[number % commands.length]!)).exitCode);
  expect(traces()).toEqual(earlier);
  expect([...exitCodes]).toEqual([0, 2]);
}, 120_000);

test('the lines beside a finding are those of the file as it is now', async () => {
  const shown = async (input: string) => {
    writeFileSync('a.test.yaml', `tests:\n  - id: a\n    input: ${input}\n    nput: x\n`);
    const { stdout, stderr } = await assay('validate');
    return stdout + stderr;
  };
  expect(await shown('first')).toContain('input: first');
  expect(await shown('again')).toContain('input: again');
  const other = createProject({ 'a.test.yaml': '' });
  process.chdir(other.path);
  expect(await shown('other')).toContain('input: other');
  other.remove();
});

test('a config and an agent that were edited are loaded anew', async () => {
  const answer = async (text: string) => {
    writeFileSync('agent.mjs', `export default () => '${text}';\n`);
    writeFileSync('assay.config.mjs', `export default { agent: './agent.mjs', repeats: ${text.length} };\n`);
    return (await assay('run', '--reporter', 'json')).stdout;
  };
  expect(await answer('paris')).toContain('"attempts":5');
  const again = await answer('rome');
  expect(again).toContain('"attempts":4');
  expect(again).toContain('"output":"rome"');
});

test('the program that hints name is the one that was started', async () => {
  writeFileSync('agent.mjs', "export default () => 'rome';\n");
  const { stdout } = await assay('run', '--agent', './agent.mjs');
  expect(stdout).toContain('npx assay run a.test.yaml');
});

async function assay(...argv: readonly string[]) {
  const [stdout, stderr] = [createOutput(), createOutput()];
  const exitCode = await main(argv, {
    stdout,
    stderr,
    env: { ...process.env, NO_COLOR: '1', CI: 'false', PATH: '' },
    version: '0.0.0',
    script: join(project.path, 'node_modules', 'assay', 'dist', 'cli.cjs'),
    onDefect: (error) => {
      throw error;
    },
  });
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}

function createOutput(): Output & { readonly text: string } {
  let text = '';
  return {
    isTTY: false,
    columns: 100,
    get text() {
      return text;
    },
    write(more) {
      text += more;
      return Promise.resolve();
    },
  };
}

/** How many listeners there are, and what commands replace while they run. */
function traces() {
  const emitters = [process, process.stdout, process.stderr];
  const listeners = emitters.map((emitter: NodeJS.EventEmitter) =>
    Object.fromEntries(emitter.eventNames().map((event) => [String(event), emitter.listenerCount(event)])),
  );
  const { exit, kill, abort, stdout, stderr } = process;
  const { log, error } = console;
  return {
    listeners,
    functions: [exit, kill, abort, stdout.write, stderr.write, log, error, fetch, setTimeout],
  };
}
