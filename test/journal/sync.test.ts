import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createProject, startCli } from '../project.ts';

/** Notes which files of this process were synced to the disk, and how large they were then. */
const HOOK = `
const fs = require('node:fs');
const { fsyncSync } = fs;
fs.fsyncSync = (file) => {
  fs.appendFileSync(process.env.SYNCED, fs.readlinkSync('/proc/self/fd/' + file) + ' ' + fs.fstatSync(file).size + '\\n');
  return fsyncSync(file);
};`;

test.skipIf(process.platform !== 'linux')(
  'the whole journal and the files next to it are synced to disk before the run ends',
  async () => {
    const project = createProject({
      'hook.cjs': HOOK,
      'agent.mjs': 'export const agent = (input) => input;',
      'a.test.yaml': '- input: hi\n  assert:\n    output.equals: hi\n',
    });
    onTestFinished(() => project.remove());
    const synced = join(project.path, 'synced');
    const env = { NODE_OPTIONS: `--require ${join(project.path, 'hook.cjs')}`, SYNCED: synced };
    const args = ['run', 'a.test.yaml', '--agent', './agent.mjs'];
    const { exitCode } = await startCli(args, { cwd: project.path, env });
    expect(exitCode).toBe(0);
    const lines = readFileSync(synced, 'utf8').trim().split('\n');
    const journal = lines.find((line) => /\.assay\/runs\/[^/]+\/results\.jsonl \d+$/.test(line))!;
    const [path, size] = journal.split(' ');
    expect(readFileSync(path!)).toHaveLength(Number(size));
    for (const name of ['run.json', 'summary.json'])
      expect(lines.some((line) => line.includes('.assay/runs/') && line.includes(name))).toBe(true);
  },
);
