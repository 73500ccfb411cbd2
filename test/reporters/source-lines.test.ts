import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, startCli } from '../project.ts';

const TESTS = 4000;
/** They are reported in turns of their own, with what passes between them. */
const FAILURES = 20;

test.each(['junit', 'tap'])(
  '%s: a dataset is not read once more for each of its failures',
  async (reporter) => {
    const line = (index: number): string =>
      JSON.stringify({
        id: `case ${index}`,
        input: 'hi',
        assert: [{ type: 'contains', value: (index + 1) % (TESTS / FAILURES) === 0 ? 'hello' : 'good' }],
      });
    const { path: cwd, remove } = createProject({
      'cases.jsonl': Array.from({ length: TESTS }, (_, index) => line(index)).join('\n'),
      'agent.mjs': "export const agent = () => ({ output: 'goodbye' });",
      'count.cjs': `const fs = require('node:fs');
      const { readFileSync } = fs;
      let reads = 0;
      fs.readFileSync = (path, ...rest) => {
        if (String(path).endsWith('cases.jsonl')) reads++;
        return readFileSync(path, ...rest);
      };
      process.on('exit', () => fs.writeFileSync(__dirname + '/reads-' + process.ppid, String(reads)));`,
    });
    const env = { NODE_OPTIONS: `--require ${join(cwd, 'count.cjs')}` };
    const args = ['run', 'cases.jsonl', '--agent', './agent.mjs', '--reporter', `${reporter}=report`];
    expect((await startCli(args, { cwd, env })).exitCode).toBe(1);
    // Only Assay's own process has this one as its parent.
    const reads = Number(readFileSync(join(cwd, `reads-${process.pid}`), 'utf8'));
    expect(readFileSync(join(cwd, 'report'), 'utf8')).toContain(`${TESTS} | {`);
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThan(5);
    remove();
  },
);
