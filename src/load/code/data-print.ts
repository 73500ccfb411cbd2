import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { isInside } from '../../files/is-inside.ts';
import { isSuiteName } from '../discover.ts';
import { isPrivate } from '../file-parts.ts';
import { hashOf, type CodePlace, type CodePrint } from './code-print.ts';
import { namedPaths, type NamedPath } from './named-paths.ts';
import { isFolder } from './references.ts';

/** A file that code names, and may read while it runs. */
export interface NamedFile {
  readonly hash: string;
  /** The file or folder that the code names. */
  readonly place: string;
  /** The code writes there too. */
  readonly isWritten: boolean;
}

/** By the path from the root of the project. */
export type DataPrint = ReadonlyMap<string, NamedFile>;

const MOST_IN_FOLDER = 500;
const MOST_FILES = 2000;
/** Larger files are told apart by size and time. */
const LARGEST_HASHED = 16 * 1024 * 1024;
const SHORTEST_START = 3;
const LONGEST_SETTING = 200;
const CODE = /\.(?:[cm]?[jt]sx?|py|sh|bash|zsh)$/i;
const NOT_DATA = /^(?:node_modules|__pycache__|site-packages|\.?venv|\.git|\.assay)$/;

interface DataPlace extends CodePlace {
  /** Texts of the agent's settings: each may name a file too. */
  readonly settings: readonly string[];
}

/**
 * The files of the project that code names in its texts, such as prompts: it may read them while it runs. Code that is
 * part of `code` is left out, and so are suites and `.env`.
 */
export function printNamedData(code: CodePrint, { projectRoot, folders, settings }: DataPlace): DataPrint {
  const root = realpathSync(projectRoot);
  // An agent outside of the project has its prompts beside it.
  const outside = [...code.files.keys()].filter((key) => key.startsWith('../'));
  const homes = [root, ...outside.map((key) => dirname(resolve(root, key)))];
  const data = new Map<string, NamedFile>();
  const add = (path: string, place: string, isWritten: boolean): void => {
    const key = keyOf(root, path);
    if (code.files.has(key) || data.size >= MOST_FILES || isSuiteName(basename(path))) return;
    const before = data.get(key);
    // The narrowest place: of `data` and `data/prompts`, the second.
    if (before !== undefined && before.place.length >= place.length)
      return void (isWritten && data.set(key, { ...before, isWritten }));
    data.set(key, { hash: before?.hash ?? hashOfData(path), place, isWritten: isWritten || before?.isWritten === true });
  };
  const look = (named: NamedPath, bases: readonly string[]): void => {
    for (const base of new Set(bases))
      for (const { path, place } of filesOf(resolve(base, named.path), named, { root, homes, code }))
        add(path, keyOf(root, place), named.isWritten);
  };
  for (const path of settings)
    // A single word is a name, a model or a provider.
    if (/[./]/.test(path) && !path.includes('\n') && path.length <= LONGEST_SETTING)
      look({ path, isStart: path.endsWith('/'), isWritten: false }, folders);
  for (const key of code.files.keys()) {
    const file = resolve(root, key);
    if (!CODE.test(key) && extname(key) !== '') continue;
    for (const named of namedPaths(textOf(file))) look(named, [dirname(file), ...folders, root]);
  }
  return data;
}

interface Found {
  readonly path: string;
  readonly place: string;
}

interface Project {
  readonly root: string;
  /** Where its files may be. */
  readonly homes: readonly string[];
  readonly code: CodePrint;
}

function filesOf(path: string, { isStart }: NamedPath, project: Project): readonly Found[] {
  const real = realPath(path);
  if (real !== undefined && isOwn(real, project)) {
    const stats = statSync(real);
    if (stats.isFile()) return isStart ? [] : [{ path: real, place: real }];
    if (stats.isDirectory()) return project.homes.includes(real) ? [] : filesIn(real, project);
  }
  if (!isStart) return [];
  // `prompts/intro-${language}.md` may be any file whose name starts so.
  const folder = realPath(dirname(path));
  const start = basename(path);
  if (folder === undefined || start.length < SHORTEST_START || !isFolder(folder) || !isOwn(folder, project))
    return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith(start) && !isPrivate(entry.name))
    .map(({ name }) => ({ path: join(folder, name), place: join(folder, start) }));
}

/** Every file below a folder. Of a folder with code of the agent, only what is not code: the code is known already. */
function filesIn(folder: string, { root, code }: Project): readonly Found[] {
  const inside = `${keyOf(root, folder)}/`;
  const hasCode = [...code.files.keys()].some((key) => key.startsWith(inside));
  const found: Found[] = [];
  const waiting = [folder];
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop())
    for (const entry of readdirSync(current, { withFileTypes: true })) {
      if (entry.name.startsWith('.') || NOT_DATA.test(entry.name)) continue;
      const path = join(current, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() && !(hasCode && CODE.test(entry.name))) found.push({ path, place: folder });
      // It is rather a store than something that people write.
      if (found.length > MOST_IN_FOLDER) return [];
    }
  return found;
}

function isOwn(path: string, { homes }: Project): boolean {
  const home = homes.find((folder) => isInside(path, folder));
  if (home === undefined) return false;
  const way = relative(home, path);
  return !isPrivate(way) && !way.split(sep).some((name) => NOT_DATA.test(name));
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function textOf(file: string): string {
  try {
    return statSync(file).size > LARGEST_HASHED ? '' : readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function hashOfData(path: string): string {
  try {
    const { size, mtimeMs } = statSync(path);
    return size > LARGEST_HASHED ? `${size} ${mtimeMs}` : hashOf(path).hash;
  } catch {
    return 'unreadable';
  }
}

function keyOf(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}
