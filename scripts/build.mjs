// Builds `dist/` beside the old one and puts it in its place: a program that starts meanwhile finds all of it. Does nothing if `dist/`
// is newer than everything it is made of, so that `npx assay` in a clone, which calls `prepare`, starts at once.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';

process.chdir(dirname(import.meta.dirname));

const SOURCES = [
  'src',
  'web',
  'scripts',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
];
const CONFIGS = /^(?:tsconfig|rolldown).*\.(?:json|ts)$/;
const OUTPUTS = ['dist/cli.cjs', 'dist/types/index.d.ts', 'dist/web/index.html'];

const folder = `.dist-${process.pid}`;
const replaced = `${folder}-old`;
/** Each list is done one after the other, all lists at once. */
const STEPS = [
  [['rolldown', '--config', 'rolldown.config.ts', '--dir', folder]],
  [
    ['tsc', '--project', 'tsconfig.build.json', '--outDir', 'node_modules/.types'],
    ['rolldown', '--config', 'rolldown.types.config.ts', '--dir', `${folder}/types`],
  ],
  [['vite', 'build', 'web', '--logLevel', 'warn', '--outDir', join(process.cwd(), folder, 'web')]],
];

if (!isBuilt()) await build();

async function build() {
  const startedAt = new Date();
  removeLeftovers();
  // Also when it is interrupted: the shell and npm send this to their children.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  process.once('exit', () => [folder, replaced].forEach(remove));
  const exitCodes = await Promise.all(STEPS.map(runAll));
  const failed = exitCodes.find((code) => code !== 0);
  if (failed !== undefined) process.exit(failed);
  // A source that was saved during the build is newer.
  utimesSync(join(folder, 'cli.cjs'), startedAt, startedAt);
  putInPlace();
}

function isBuilt() {
  const builtAt = Math.min(...OUTPUTS.map(savedAt));
  const configs = readdirSync('.').filter((name) => CONFIGS.test(name));
  return builtAt > 0 && [...SOURCES, ...configs].every((path) => newestIn(path) < builtAt);
}

/** Of the folders too: one changes when a file in it is removed or renamed. */
function newestIn(path) {
  const inside =
    existsSync(path) && statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : [];
  return inside.reduce((newest, name) => Math.max(newest, savedAt(join(path, name))), savedAt(path));
}

/** 0 if it does not exist. */
function savedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function runAll(steps) {
  for (const step of steps) {
    const exitCode = await run(step);
    if (exitCode !== 0) return exitCode;
  }
  return 0;
}

function run([name, ...args]) {
  const child = spawn(join('node_modules', '.bin', name), args, { stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Another build may do the same at the same time: the last one wins. */
function putInPlace() {
  for (let tries = 10; ; tries--) {
    try {
      if (existsSync('dist')) renameSync('dist', replaced);
      renameSync(folder, 'dist');
      return;
    } catch (error) {
      if (tries === 0) throw error;
      remove(replaced);
    }
  }
}

/** Of builds that were killed. */
function removeLeftovers() {
  for (const name of readdirSync('.')) {
    const id = /^\.dist-(\d+)/.exec(name)?.[1];
    if (id !== undefined && !isRunning(Number(id))) remove(name);
  }
}

function isRunning(id) {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function remove(path) {
  rmSync(path, { recursive: true, force: true });
}
