import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { CLI } from '../project.ts';

test('only a small entry is loaded before the command line is read, so --version and --help are fast', () => {
  const loaded = loadedWith(CLI);
  expect(loaded.size).toBeGreaterThan(1);
  const characters = [...loaded].reduce((sum, file) => sum + readFileSync(file, 'utf8').length, 0);
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
    expect(stderr).toMatch(/^assay: stdout cannot be written: ENOSPC: .*\n {2}hint: make room/);
  },
);

/** The file and everything that it requires, and not only on occasion. */
function loadedWith(file: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?<!=>)\brequire\([`"'](\.[^`"']+)[`"']\)/g))
    loadedWith(resolve(dirname(file), name!), loaded);
  return loaded;
}
