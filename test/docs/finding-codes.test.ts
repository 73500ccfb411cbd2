import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './assay-process.ts';

/** The ways in which the source names a finding's code. */
const NAMED = [
  /\bcode: '([a-z_\d]+)'/g,
  /\b(?:missing|emptyCode): '([a-z_\d]+)'/g,
  /\bcode:[^',]*\?\s*'([a-z_\d]+)'/g,
  /\bcode:[^',]*\?\s*'[a-z_\d]+'\s*:\s*'([a-z_\d]+)'/g,
  /\b(?:this\.)?(?:error|warning|stop)\(\s*'([a-z_\d]+)'/g,
  /\bwrongInFile\(\s*'([a-z_\d]+)'/g,
  /\bfinding\(\s*'(?:error|warning)',\s*'([a-z_\d]+)'/g,
  /\bfileFinding\(\s*[^,]+,\s*'([a-z_\d]+)'/g,
];
const ROOMS = ['base/match', 'base/schema', 'evidence', 'agents', 'checks', 'suites', 'run', 'api', 'cli'];

/** The code of what an agent gets for a model call that was refused. */
const ANSWERS: ReadonlySet<string> = new Set(['assay_limit']);

test('docs/findings.md lists every code and no others', () => {
  const page = readFileSync(join(ROOT, 'docs/findings.md'), 'utf8');
  const codes = new Set(ROOMS.flatMap((room) => codesOf(join(ROOT, 'src', room))));
  expect([...codes].filter((code) => !ANSWERS.has(code) && !page.includes(`\`${code}\``)).sort()).toEqual([]);
  const documented = [...page.matchAll(/^\| `([a-z_\d]+)`/gm), ...page.matchAll(/`(missing_[a-z_]+)`/g)].map(
    ([, code]) => code!,
  );
  expect(documented.filter((code) => !codes.has(code))).toEqual([]);
});

function codesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return NAMED.flatMap((pattern) => [...text.matchAll(pattern)].map(([, code]) => code!));
    });
}
