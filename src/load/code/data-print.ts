import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { isSuiteName } from '../discover.ts';
import { isPrivate } from '../file-parts.ts';
import { hashOf, type CodePlace, type CodePrint } from './code-print.ts';
import { namedPaths, type NamedPath } from './named-paths.ts';
import { isOwnPath, listOwnFiles } from './own-files.ts';
import { isFile, isFolder } from './references.ts';

/** A file that code names, and may read while it runs. */
interface NamedFile {
  readonly hash: string;
  /** The file or folder that the code names. */
  readonly place: string;
  /** The code writes there too. */
  readonly isWritten: boolean;
}

/** By the path from the root of the project. */
export type DataPrint = ReadonlyMap<string, NamedFile>;

interface DataPlace extends CodePlace {
  /** Texts of the agent's settings: each may name a file too. */
  readonly settings?: readonly string[];
  /** Files and folders that count in any case. */
  readonly declared?: readonly string[];
  /** The suites, by whatever name: what they check says nothing about the agent. */
  readonly suites?: readonly string[];
}

/** A larger folder is rather a store than something that people write. */
const MOST_IN_FOLDER = 500;
export const MOST_DECLARED = 10_000;
const MOST_FILES = 20_000;
/** Larger files are told apart by size and time. */
const LARGEST_HASHED = 16 * 1024 * 1024;
const SHORTEST_START = 3;
const LONGEST_SETTING = 200;
const CODE = /\.(?:[cm]?[jt]sx?|py|sh|bash|zsh)$/i;

/**
 * The files of the project that code names in its texts, such as prompts: it may read them while it runs. Code that is
 * part of `code` is left out, and so are suites and `.env`.
 */
export function printNamedData(
  code: CodePrint,
  { projectRoot, folders, settings = [], declared = [], suites = [] }: DataPlace,
): DataPrint {
  const root = realpathSync(projectRoot);
  // An agent outside of the project has its prompts beside it.
  const outside = [...code.files.keys()].filter((key) => key.startsWith('../'));
  const homes = [root, ...outside.map((key) => dirname(resolve(root, key)))];
  const data = new NamedFileTable(root, [
    ...code.files.keys(),
    ...suites.map((path) => keyOf(root, realPath(path) ?? path)),
  ]);
  const folderNames = new FolderNames();
  const seen = new Map<string, readonly Found[]>();
  const look = (named: NamedPath, bases: readonly string[]): void => {
    for (const base of bases) {
      if (!folderNames.mayHave(base, named)) continue;
      const path = resolve(base, named.path);
      const key = `${path}\0${named.isStart}`;
      let found = seen.get(key);
      if (found === undefined) seen.set(key, (found = filesOf(path, named, { root, homes, code })));
      for (const file of found) data.add({ ...file, isWritten: named.isWritten() });
    }
  };
  for (const place of declared)
    for (const path of filesOfDeclared(place) ?? []) data.add({ path, place, isWritten: false });
  for (const path of settings)
    // A single word is a name, a model or a provider.
    if (/[./]/.test(path) && !path.includes('\n') && path.length <= LONGEST_SETTING)
      look({ path, isStart: path.endsWith('/'), isWritten: () => false }, folders);
  for (const key of code.files.keys()) {
    const file = resolve(root, key);
    if (!CODE.test(key) && extname(key) !== '') continue;
    for (const named of namedPaths(textOf(file))) look(named, [dirname(file), ...folders, root]);
  }
  return data.files;
}

/** The files of a declared file or folder. Undefined if it does not exist, or has too many. */
export function filesOfDeclared(path: string): readonly string[] | undefined {
  if (isFile(path)) return [path];
  if (!isFolder(path)) return undefined;
  const folder = realpathSync(path);
  return listOwnFiles(folder, { most: MOST_DECLARED, homes: [folder], isWanted: () => true });
}

interface Found {
  readonly path: string;
  readonly place: string;
}

/** What is in some folders: most texts of code name nothing, and the disk need not be asked about each. */
class FolderNames {
  private readonly folders = new Map<string, ReadonlySet<string>>();

  mayHave(folder: string, { path, isStart }: NamedPath): boolean {
    const [first = ''] = path.split(/[\\/]/);
    // `/x` and `./x` are elsewhere or deeper, and `intro-${language}` is only the start of a name.
    if (first === '' || first.startsWith('.') || (isStart && first === path)) return true;
    let names = this.folders.get(folder);
    if (names === undefined) this.folders.set(folder, (names = new Set(namesIn(folder))));
    return names.has(first);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

class NamedFileTable {
  readonly files = new Map<string, NamedFile>();
  private readonly root: string;
  private readonly leftOut: ReadonlySet<string>;

  constructor(root: string, leftOut: readonly string[]) {
    this.root = root;
    this.leftOut = new Set(leftOut);
  }

  add({ path, place: named, isWritten }: Found & Pick<NamedFile, 'isWritten'>): void {
    const { files, root, leftOut } = this;
    const key = keyOf(root, path);
    if (leftOut.has(key) || files.size >= MOST_FILES || isSuiteName(basename(path))) return;
    const before = files.get(key);
    const place = keyOf(root, named);
    files.set(key, {
      hash: before?.hash ?? hashOfData(path),
      // The narrowest one: of `data` and `data/prompts`, the second.
      place: before !== undefined && before.place.length > place.length ? before.place : place,
      isWritten: isWritten || before?.isWritten === true,
    });
  }
}

interface Project {
  readonly root: string;
  /** Where its files may be. */
  readonly homes: readonly string[];
  readonly code: CodePrint;
}

function filesOf(path: string, { isStart }: NamedPath, project: Project): readonly Found[] {
  const { homes } = project;
  const real = realPath(path);
  if (real !== undefined && isOwnPath(real, homes)) {
    if (isFile(real)) return isStart ? [] : [{ path: real, place: real }];
    if (isFolder(real)) return homes.includes(real) ? [] : filesIn(real, project);
  }
  if (!isStart) return [];
  // `prompts/intro-${language}.md` may be any file whose name starts so.
  const folder = realPath(dirname(path));
  const start = basename(path);
  if (folder === undefined || start.length < SHORTEST_START || !isFolder(folder) || !isOwnPath(folder, homes))
    return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith(start) && !isPrivate(entry.name))
    .map(({ name }) => ({ path: join(folder, name), place: join(folder, start) }));
}

/** Of a folder with code of the agent, only what is not code: the code is known already. */
function filesIn(folder: string, { root, homes, code }: Project): readonly Found[] {
  const inside = `${keyOf(root, folder)}/`;
  const hasCode = [...code.files.keys()].some((key) => key.startsWith(inside));
  const isWanted = (name: string): boolean => !hasCode || !CODE.test(name);
  const files = listOwnFiles(folder, { most: MOST_IN_FOLDER, homes, isWanted }) ?? [];
  return files.map((path) => ({ path, place: folder }));
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
