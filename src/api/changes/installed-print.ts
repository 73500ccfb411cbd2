import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from '../../base/files/is-inside.ts';

/** They decide which packages are installed, and what a program finds in its environment. */
const DECIDING = [
  '.env',
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'requirements.txt',
  'pyproject.toml',
  'uv.lock',
  'poetry.lock',
];

/** Identifies what a program in a folder finds installed: the files that decide it, and when each package was written. */
export function printInstalled(folder: string, projectRoot: string): string {
  const hash = createHash('sha256');
  for (let current = folder; isInside(current, projectRoot); current = dirname(current)) {
    for (const name of DECIDING) hash.update(textOf(join(current, name)));
    for (const packages of ['node_modules', ...sitePackages(current)])
      hash.update(JSON.stringify(packagesIn(join(current, packages))));
    if (current === dirname(current)) break;
  }
  return hash.digest('hex').slice(0, 32);
}

function sitePackages(folder: string): readonly string[] {
  return ['.venv', 'venv'].flatMap((name) =>
    namesIn(join(folder, name, 'lib')).map((python) => join(name, 'lib', python, 'site-packages')),
  );
}

/** Each package with the times of its own files. Tools keep caches in folders that begin with a dot. */
function packagesIn(folder: string): readonly (readonly [string, readonly number[]])[] {
  return namesIn(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? namesIn(join(folder, name)).map((own) => join(name, own)) : [name],
    )
    .map((name) => {
      const files = namesIn(join(folder, name)).filter((own) => own !== '__pycache__');
      return [name, ['', ...files].map((own) => savedAt(join(folder, name, own)))];
    });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function savedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function textOf(file: string): string {
  try {
    return `${readFileSync(file, 'utf8')}\0`;
  } catch {
    return '\0';
  }
}
