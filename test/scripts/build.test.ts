import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProject, type Project } from '../project.ts';

/* The script in a clone of its own, with tools that only write what the real ones would. */

const SCRIPT = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));
/** Its last argument is the folder; it says what it found in `dist/`. */
const TOOL = `#!/bin/sh
for folder; do :; done
echo "$(basename "$0"): $(cat dist/cli.cjs 2>&1)" >> tools.log
mkdir -p "$folder"
cat src/a.ts > "$folder/cli.cjs"
cat src/a.ts > "$folder/index.d.ts"
cat src/a.ts > "$folder/index.html"
test "$(cat src/a.ts)" != "wrong"
`;

let clone: Project;
beforeEach(() => {
  clone = createProject({
    'src/a.ts': 'first',
    'src/b.ts': '',
    'package-lock.json': '{}',
    'tsconfig.json': '{}',
    'rolldown.config.ts': '',
    'web/page.ts': '',
  });
  cpSync(SCRIPT, inClone('scripts/build.mjs'));
  mkdirSync(inClone('node_modules/.bin'), { recursive: true });
  for (const name of ['rolldown', 'tsc', 'vite']) {
    writeFileSync(inClone('node_modules/.bin', name), TOOL);
    chmodSync(inClone('node_modules/.bin', name), 0o755);
  }
  setAge('.', 100);
});
afterEach(() => clone.remove());

test('what is built is not built again', () => {
  expect(build()).toBe(0);
  expect(readFileSync(inClone('dist/cli.cjs'), 'utf8')).toBe('first');
  expect(toolsThatRan()).toHaveLength(4);
  expect(build()).toBe(0);
  expect(toolsThatRan()).toHaveLength(0);
});

test.each([
  ['a source is edited', () => writeFileSync(inClone('src/b.ts'), 'other')],
  ['a source is removed', () => rmSync(inClone('src/b.ts'))],
  ['a part of the page is edited', () => writeFileSync(inClone('web/page.ts'), 'other')],
  ['other packages are installed', () => writeFileSync(inClone('node_modules/.package-lock.json'), '{}')],
  ['a dependency is added', () => writeFileSync(inClone('package-lock.json'), '{ }')],
  ['the config of the bundler is edited', () => writeFileSync(inClone('rolldown.config.ts'), '//')],
  ['the types of the package are gone', () => rmSync(inClone('dist/types'), { recursive: true })],
])('it is built again when %s', (_when, change) => {
  build();
  toolsThatRan();
  setAge('.', 100);
  setAge('dist', 50);
  change();
  expect(build()).toBe(0);
  expect(toolsThatRan()).toHaveLength(4);
});

test('a source that is saved during a build is part of the next one', () => {
  build();
  // As if it had been saved when the bundler had read it already.
  const { mtimeMs } = statSync(inClone('dist/cli.cjs'));
  const later = new Date(mtimeMs + 1);
  utimesSync(inClone('src/a.ts'), later, later);
  toolsThatRan();
  build();
  expect(toolsThatRan()).toHaveLength(4);
});

test('the old build is there until the new one is whole, and stays if that fails', () => {
  build();
  toolsThatRan();
  writeFileSync(inClone('src/a.ts'), 'second');
  expect(build()).toBe(0);
  expect(toolsThatRan()).toEqual(['rolldown: first', 'rolldown: first', 'tsc: first', 'vite: first']);
  writeFileSync(inClone('src/a.ts'), 'wrong');
  expect(build()).not.toBe(0);
  expect(readFileSync(inClone('dist/cli.cjs'), 'utf8')).toBe('second');
  expect(readdirSync(clone.path).filter((name) => name.startsWith('.dist'))).toEqual([]);
});

function inClone(...names: readonly string[]): string {
  return join(clone.path, ...names);
}

/** Of everything in a folder. */
function setAge(folder: string, seconds: number): void {
  const at = new Date(Date.now() - seconds * 1000);
  const names = readdirSync(inClone(folder), { recursive: true, encoding: 'utf8' });
  for (const name of ['.', ...names]) utimesSync(inClone(folder, name), at, at);
}

function build(): number | null {
  return spawnSync(process.execPath, [inClone('scripts/build.mjs')], { cwd: clone.path }).status;
}

/** Since this was asked last. */
function toolsThatRan(): readonly string[] {
  const log = inClone('tools.log');
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  rmSync(log);
  return lines.sort();
}
