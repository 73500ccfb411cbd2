import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import shared from './vitest.config.ts';

const { include: _all, ...test } = shared.test!;

/** The tests that do less under `npm test`, in full: those that ask test/effort.ts how much to do. */
export default mergeConfig(
  { test },
  defineConfig({ test: { include: testsThatAsk(), provide: { isLong: true }, testTimeout: 600_000 } }),
);

function testsThatAsk(): string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((name) => join('test', name))
    .filter((path) => path.endsWith('.test.ts') && /from '[./]*effort\.ts'/.test(readFileSync(path, 'utf8')));
}
