import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CLI } from '../project.ts';

test('only a small entry is loaded before the command line is read, so --version and --help are fast', () => {
  const script = `process.on('exit', () => process.stderr.write(JSON.stringify(Object.keys(require.cache)))); require(${JSON.stringify(CLI)});`;
  const { stderr } = spawnSync(process.execPath, ['--eval', script, '--', '--help'], { encoding: 'utf8' });
  const loaded = JSON.parse(stderr) as string[];
  expect(loaded.length).toBeGreaterThan(1);
  const characters = loaded.reduce((sum, file) => sum + readFileSync(file, 'utf8').length, 0);
  // Half of it is what the commands take, for --help: it grows with them.
  expect(characters).toBeLessThan(50_000);
});

test.skipIf(process.platform === 'win32').each([CLI, CLI.replace(/\.cjs$/, '.js')])(
  'what was built is a program: %s',
  (program) => {
    expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
  },
);

test.skipIf(!existsSync('/dev/full')).each([['--version'], ['schema', 'eval'], ['validate', 'examples']])(
  'what cannot be written to stdout is no success, and nobody else is blamed: %s',
  (...args) => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [CLI, ...args], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^assay: stdout cannot be written: ENOSPC: .*\n {2}hint: free some space/);
  },
);
