import { existsSync, readdirSync, readFileSync, writeFileSync, type Dirent } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, refuseLinks } from '../../base/files/make-folder.ts';
import { CONFIG_NAMES, TARGETS_NAMES } from '../../suites/load/config-names.ts';
import { readPackageFile } from './package-file.ts';
import type { TemplateFile } from './template-file.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';

const CONFTEST = 'pytest_plugins = ["assay_pytest"]\n';

export interface PlacedFile extends TemplateFile {
  readonly path: string;
  /** What to do if the project has another file with this name. */
  readonly hint?: string | undefined;
}

export interface AddedFile extends PlacedFile {
  /** `same`: it is there already. `kept`: somebody has another one there, which stays. */
  readonly state: 'added' | 'same' | 'kept';
}

/** Writes the files that a project lacks. What is there is never overwritten. Throws if one cannot be written. */
export function addFiles(files: readonly PlacedFile[]): readonly AddedFile[] {
  // All of them first, so that either everything is written or nothing.
  for (const { path } of files) refuseLinks(dirname(path), findProjectRoot(process.cwd()));
  return files.map((file) => {
    const { path, text } = file;
    if (existsSync(path)) return { ...file, state: isSame(file) ? 'same' : 'kept' };
    makeFolder(dirname(path));
    // `wx`: a file that appeared after the check above is not overwritten either.
    writeFileSync(path, text, { flag: 'wx' });
    return { ...file, state: 'added' };
  });
}

export function isSame({ path, text }: Pick<PlacedFile, 'path' | 'text'>): boolean {
  try {
    return readFileSync(path, 'utf8') === text;
  } catch {
    return false;
  }
}

/** The config of a folder, if it has one. */
export function configIn(folder: string): string | undefined {
  return [...CONFIG_NAMES, ...TARGETS_NAMES].find((name) => existsSync(join(folder, name)));
}

/** Whether a folder has tests of its own, or a folder in it. */
export function hasTests(folder: string): boolean {
  const entries = entriesOf(folder);
  const folders = entries.filter((entry) => entry.isDirectory() && !/^(?:\.|node_modules$)/.test(entry.name));
  return [entries, ...folders.map(({ name }) => entriesOf(join(folder, name)))]
    .flat()
    .some((entry) => entry.isFile() && SUITE.test(entry.name));
}

/** Nothing, if it is not there or not a folder: writing into it says so. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const SUITE = /\.(?:test|eval)\.(?:ya?ml|jsonl?)$/i;

/** Claude Code looks into `.claude/skills`, most other agents into `.agents/skills`. */
export function skillFiles(folder: string): readonly PlacedFile[] {
  const text = readPackageFile('templates/skill/SKILL.md');
  return ['.claude', '.agents'].map((name) =>
    placed(folder, { name: join(name, 'skills', 'assay', 'SKILL.md'), text }, OTHER_VERSION),
  );
}

/** Another `conftest.py` belongs to its author. */
export function pytestFiles(folder: string): readonly PlacedFile[] {
  const text = readPackageFile('templates/pytest/assay_pytest.py');
  const conftest = join(folder, 'conftest.py');
  const isLoaded = existsSync(conftest) && readFileSync(conftest, 'utf8').includes('assay_pytest');
  const hint = isLoaded ? undefined : `add this line to it: ${CONFTEST.trimEnd()}`;
  return [
    placed(folder, { name: 'assay_pytest.py', text }, OTHER_VERSION),
    placed(folder, { name: 'conftest.py', text: CONFTEST }, hint),
  ];
}

const OTHER_VERSION = 'remove it first to get the one of this version';

function placed(folder: string, file: TemplateFile, hint: string | undefined): PlacedFile {
  return { ...file, path: join(folder, file.name), hint };
}
