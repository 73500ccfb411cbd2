import { spawnSync } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { NOT_OWN } from './file-look.ts';

const MOST_FILES = 20_000;

export type Listed = { readonly files: readonly string[] } | { readonly problem: string };

/** The files that `depends_on` names: files, folders with all that is in them, and globs; `!logs/**` leaves some out. */
export function declaredFiles(paths: readonly string[], folder: string): Listed {
  const left = paths.filter((path) => path.startsWith('!')).map((path) => path.slice(1));
  const files = new Set<string>();
  for (const path of paths) {
    if (path.startsWith('!')) continue;
    const found = filesAt(path, folder);
    if (found.length === 0 && !isFolder(resolve(folder, path)))
      return { problem: `names ${path}, which does not exist` };
    for (const file of found) files.add(file);
    if (files.size > MOST_FILES)
      return {
        problem: `names ${path}, which has more than ${MOST_FILES} files`,
      };
  }
  for (const path of left) for (const file of filesAt(path, folder)) files.delete(file);
  return { files: [...files].toSorted() };
}

function filesAt(path: string, folder: string): readonly string[] {
  const place = resolve(folder, path);
  if (isFile(place)) return [place];
  const [pattern, cwd] = isFolder(place) ? ['**', realpathSync(place)] : [path, folder];
  const ignore = [...NOT_OWN].map((name) => `**/${name}/**`);
  return globSync(pattern, { cwd, absolute: true, dot: true, ignore });
}

/** The files of a folder that git knows, and new ones that it does not ignore. */
export function gitFiles(folder: string): Listed {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout = '', status } = spawnSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    env: withoutGitPlace(),
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) return { problem: `git has no list of the files in ${folder}` };
  const files = [...new Set(stdout.split('\0').filter(Boolean))].map((path) => join(folder, path));
  if (files.length > MOST_FILES) return { problem: `git lists more than ${MOST_FILES} files in ${folder}` };
  const inner = files.find(isFolder);
  if (inner !== undefined) return { problem: `${inner} is a repository of its own` };
  return { files };
}

/** In a hook of git, variables name the repository that git works on. */
function withoutGitPlace(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^GIT_(?:DIR|INDEX_FILE|WORK_TREE)$/.test(name),
  );
  return Object.fromEntries(own);
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The files of programs in a folder: those that git knows, or, without git, all of them. */
export function codeFiles(folder: string): readonly string[] {
  const listed = gitFiles(folder);
  const files = 'files' in listed ? listed.files : filesAt('**', folder);
  return files.filter((path) => isCode(path) && isFile(path)).toSorted();
}

export function isCode(path: string): boolean {
  return CODE.test(path);
}

const CODE = /\.(?:[cm]?[jt]sx?|py|sh|rb|pl|php|lua|go|rs|java|kt|cs|c|cc|cpp|h)$/i;
