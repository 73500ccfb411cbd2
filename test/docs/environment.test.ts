import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VARIABLES } from '../../scripts/reference/regions.ts';
import { ROOT } from './assay-process.ts';

/** Variables of the system that every program reads, and those that Assay's own processes pass to each other. */
const OTHERS = new Set([
  'ASSAY_CONFINEMENT',
  'AGENTV_TARGET_PROXY_URL',
  'AGENTV_TARGET_PROXY_TOKEN',
  'HOME',
  'NODE_OPTIONS',
  'PATH',
  'PYTHONPATH',
]);

test('docs/reference/environment.md lists every variable that the source reads', () => {
  const folder = join(ROOT, 'src');
  const read = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/\benv\[['"]([A-Z_]+)['"]\]/g)])
    .map(([, variable]) => variable!);
  expect(read.length).toBeGreaterThan(10);
  const unknown = [...new Set(read)].filter((name) => !OTHERS.has(name) && VARIABLES[name] === undefined);
  expect(unknown).toEqual([]);
  const page = readFileSync(join(ROOT, 'docs/reference/environment.md'), 'utf8');
  expect(Object.keys(VARIABLES).filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
});
