import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import shared, { LONG_ONLY } from './vitest.config.ts';

const ASKS = /from '(?:[./]|test\/)*(?:effort|seeded-fast-check)\.ts'/;

const { projects: _both, ...test } = shared.test!;

/**
 * The tests that do less under `npm test`, in full: those that ask test/effort.ts how much to do, or try random values with
 * test/seeded-fast-check.ts. And those of test/long.
 */
export default mergeConfig(
  { test },
  defineConfig({
    test: {
      include: [...new Set([...testsThatAsk(), ...LONG_ONLY]), 'test/long/**/*.test.ts'],
      maxWorkers: 4,
      provide: { isLong: true },
      testTimeout: 600_000,
      hookTimeout: 600_000,
    },
  }),
);

function testsThatAsk(): string[] {
  // The folder of the frameworks holds no test, and a hundred thousand files of theirs.
  const folders = readdirSync('test').filter((name) => name !== 'frameworks');
  return ['src', 'web', ...folders.map((name) => join('test', name))]
    .flatMap(filesIn)
    .filter((path) => path.endsWith('.test.ts') && ASKS.test(readFileSync(path, 'utf8')));
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name));
}
