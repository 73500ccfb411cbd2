import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './assay-process.ts';

/** The rows of all tables, without their heads. */
function readRows(page: string): readonly { readonly promise: string; readonly proof: string }[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, promise = '']) => promise !== 'promise' && promise !== 'it cannot' && !/^-+$/.test(promise))
    .map(([, promise = '', proof = '']) => ({ promise, proof }));
}

/** `path/to.test.ts` "a title" "another one". */
function namedTests(text: string): readonly { readonly file: string; readonly title: string }[] {
  const named = [...text.replaceAll(/\s+/g, ' ').matchAll(/`([\w./-]+\.ts)`((?: "[^"]+")+)/g)];
  return named.flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
  );
}

/** A title is the first argument of a call, as a text. */
function hasTitle(file: string, title: string): boolean {
  const path = join(ROOT, file);
  if (!existsSync(path)) return false;
  const escaped = title.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  return new RegExp(`\\(\\s*(['"\`])${escaped}\\1`).test(readFileSync(path, 'utf8'));
}

describe.each([
  { file: 'contributing/reliability.md', atLeast: 30 },
  { file: 'contributing/decisions/0014-tests-of-the-threat-model.md', atLeast: 15 },
])('$file', ({ file: name, atLeast }) => {
  const page = readFileSync(join(ROOT, name), 'utf8');
  const rows = readRows(page);

  test('has promises', () => expect(rows.length).toBeGreaterThan(atLeast));

  test.each(rows)('names tests that exist for: $promise', ({ proof }) => {
    const named = namedTests(proof);
    expect(named.length, 'a promise needs a file and the title of a test').toBeGreaterThan(0);
    expect(named.filter(({ file, title }) => !hasTitle(file, title))).toEqual([]);
  });

  test('names only tests that exist, outside of the tables too', () => {
    expect(namedTests(page).filter(({ file, title }) => !hasTitle(file, title))).toEqual([]);
  });
});
