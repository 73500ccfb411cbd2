import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/options.ts';
import { ROOT } from './assay-process.ts';

test('every command is in the docs', () => {
  const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  const text = ['README.md', ...pages.map((name) => `docs/${name}`)]
    .map((path) => readFileSync(join(ROOT, path), 'utf8'))
    .join('\n');
  const missing = Object.keys(COMMANDS).filter((name) => !new RegExp(`\\bassay ${name}\\b`).test(text));
  expect(missing).toEqual([]);
});
