import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KINDS } from '../../src/cli/init/choices.ts';
import { createProject, ROOT } from './assay-process.ts';

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

const paths = new Set(packed().files.map(({ path }) => path));

test('the package has every page that the README links to, and no install script', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\(([^)#\s]+)/g)].map(([, path]) => path!);
  expect(links.filter((link) => !/^https?:/.test(link)).length).toBeGreaterThan(20);
  expect(links.filter((link) => !/^https?:/.test(link) && !paths.has(link))).toEqual([]);
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$/.test(name))).toEqual([]);
});

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
  } finally {
    project.remove();
  }
});
