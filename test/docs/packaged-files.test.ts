import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { KINDS } from '../../src/cli/init/choices.ts';
import { createProject, ROOT } from './assay-process.ts';

interface Packed {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

const packed = (): Packed => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const printed = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' })) as
    | readonly Packed[]
    | Record<string, Packed>;
  return Object.values(printed)[0]!;
};

const { files, unpackedSize } = packed();
const paths = new Set(files.map(({ path }) => path));

test('the package is small; `npm run build` removes what earlier builds left in dist', () => {
  // As npm counts it.
  expect(unpackedSize).toBeLessThan(7_800_000);
  expect(files.length).toBeLessThan(300);
  expect([...paths].filter((path) => /\.(?:png|map)$/.test(path))).toEqual([]);
});

test('the types are a few files that need no package but vitest', () => {
  const declarations = files.filter(({ path }) => path.endsWith('.d.ts'));
  expect(declarations.length).toBeLessThan(10);
  expect(declarations.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(350_000);
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, { readonly types?: string }>>;
  };
  const entries = Object.values(exports).flatMap(({ types = [] }) => types);
  expect(entries.map((path) => path.slice('./'.length)).filter((path) => !paths.has(path))).toEqual([]);
  const named = declarations.flatMap(({ path }) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(NAMED_MODULE)].map(([, name]) => name!),
  );
  expect(new Set(named.filter((name) => !name.startsWith('./')))).toEqual(new Set(['vitest']));
});

/** Also `import('x').T`, `declare module 'x'` and `/// <reference types="x" />`. */
const NAMED_MODULE =
  /(?:\bfrom|\bimport|\bimport\(|\brequire\(|^declare module|<reference \w+=)\s*["']([^"']+)["']/gm;

test('the package has every page that the README links to, and no install script', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/(?<!!\[[^\]]*)\]\(([^)#\s]+)/g)].map(([, path]) => path!);
  expect(links.filter((link) => !/^https?:/.test(link)).length).toBeGreaterThan(20);
  expect(links.filter((link) => !/^https?:/.test(link) && !paths.has(link))).toEqual([]);
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$/.test(name))).toEqual([]);
});

test('links of packaged pages lead to packaged files', () => {
  const folders = new Set([...paths].flatMap((path) => parents(path)));
  const broken = [...paths]
    .filter((path) => path.endsWith('.md'))
    .flatMap((page) => {
      const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
      return [...text.matchAll(/(?<!!\[[^\]]*)\]\(([^)#\s]+)/g)]
        .map(([, link]) => link!)
        .filter((link) => !/^https?:/.test(link))
        .map((link) => ({ page, link, target: posix.join(posix.dirname(page), link) }));
    })
    .filter(({ target }) => !paths.has(target) && !folders.has(target.replace(/\/$/, '')));
  expect(broken).toEqual([]);
});

/** `a/b/c.md`: `a` and `a/b`. */
function parents(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}

test('`assay init` works from the files of the package alone', () => {
  const project = createProject({});
  try {
    const assay = join(project.path, 'assay');
    for (const path of paths) cpSync(join(ROOT, path), join(assay, path));
    const init = (...args: readonly string[]): string =>
      execFileSync(process.execPath, [join(assay, 'dist/cli.cjs'), 'init', ...args], {
        cwd: project.path,
        encoding: 'utf8',
      });
    for (const kind of KINDS) init(kind, '--kind', kind, '--language', 'typescript');
    init('python', '--language', 'python');
    const written = readFileSync(join(project.path, 'server', 'agent.mjs'), 'utf8');
    expect(written).toBe(readFileSync(join(ROOT, 'examples/flight-booking/agent.mjs'), 'utf8'));
    expect(init('.', '--skill', '--pytest')).toContain('Wrote assay_pytest.py');
    // The line of the README, with what is packed in place of assay@latest.
    init('demo', '--yes');
    const cli = join(assay, 'dist/cli.cjs');
    const run = execFileSync(process.execPath, [cli, 'run', 'demo'], { cwd: project.path, encoding: 'utf8' });
    expect(run).toContain('1 passed (1)');
  } finally {
    project.remove();
  }
});
