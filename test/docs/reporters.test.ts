import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REPORTERS } from '../../src/show/reporters/registry.ts';
import { ROOT } from './assay-process.ts';

test('docs/reporters.md has a section for each reporter of the registry', () => {
  const page = readFileSync(join(ROOT, 'docs/reporters.md'), 'utf8');
  const table = page.slice(page.indexOf('| reporter '), page.indexOf('A path is'));
  const rows = [...table.matchAll(/^\| `(\w+)` +\| (.*?) +\|$/gm)].map(([, name, doc]) => [name, doc]);
  expect(rows).toEqual(Object.entries(REPORTERS).map(([name, { doc }]) => [name, doc]));
  for (const name of Object.keys(REPORTERS)) expect(page).toContain(`\n## ${name}\n`);
});
