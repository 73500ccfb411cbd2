import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './assay-process.ts';

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

const packed = (): Packed => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const printed = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' })) as
    | readonly Packed[]
    | Record<string, Packed>;
  return Object.values(printed)[0]!;
};

test('what the README links to is in the package, and nothing runs when it is installed', () => {
  const paths = new Set(packed().files.map(({ path }) => path));
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\(([^)#\s]+)/g)].map(([, path]) => path!);
  expect(links.filter((link) => !/^https?:/.test(link)).length).toBeGreaterThan(20);
  expect(links.filter((link) => !/^https?:/.test(link) && !paths.has(link))).toEqual([]);
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$/.test(name))).toEqual([]);
});
