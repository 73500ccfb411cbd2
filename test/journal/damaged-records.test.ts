import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { recordedTests, runFolders } from '../run-folders.ts';

let project: ReturnType<typeof createProject>;
const assay = (...args: string[]) => runCli(args, { cwd: project.path });
const RUN = ['run', '--agent', './agent.mjs'];

beforeEach(async () => {
  const tests = ['one', 'two', 'three'].map((id) => ({ id, input: id, assert: { 'output.includes': id } }));
  project = createProject({
    'agent.mjs': 'export const agent = (input) => ({ output: input, memory: { n: 1 } });',
    'a.test.json': JSON.stringify(tests),
  });
  await assay(...RUN);
});
afterEach(() => project.remove());

/** JSON that whoever parses it rightly can read; but nothing that we would take from an agent. */
const DAMAGES = {
  'half a line': (line: string) => line.slice(0, line.length / 2),
  'a number too long': (line: string) =>
    line.replace('"memory":{"n":1}', `"memory":{"n":${'9'.repeat(5000)}}`),
  'a number too large': (line: string) => line.replace('"memory":{"n":1}', '"memory":{"n":1e999}'),
  'nested too deeply': (line: string) =>
    line.replace('"memory":{"n":1}', `"memory":${'['.repeat(2500)}${']'.repeat(2500)}`),
};

test.each(Object.entries(DAMAGES))(
  'a damaged record (%s) is named by every reader and run again on resume',
  async (_, damage) => {
    const [run] = runFolders(project.path);
    const journal = join(run!, 'results.jsonl');
    const lines = readFileSync(journal, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('"test":"two"'));
    const whole = lines[at]!;
    lines[at] = damage(whole);
    expect(lines[at]).not.toBe(whole);
    writeFileSync(journal, lines.join('\n'));
    for (const command of [['grade'], ['report', 'latest', '--json', '-']]) {
      const { exitCode, stderr } = await assay(...command);
      expect({ command, exitCode }).toEqual({ command, exitCode: 2 });
      expect(stderr).toContain('results.jsonl:3');
      expect(stderr).toContain('the record of a.test.json::two::./agent.mjs::1 is damaged');
    }
    const resumed = await assay(...RUN, `--resume=${run}`);
    expect(resumed.exitCode).toBe(0);
    expect(resumed.stderr).toContain('the record of a.test.json::two::./agent.mjs::1 is damaged');
    expect(recordedTests(run!).toSorted()).toEqual(['one', 'three', 'two']);
    expect((await assay('report', run!, '--json', '-')).exitCode).toBe(0);
  },
);
