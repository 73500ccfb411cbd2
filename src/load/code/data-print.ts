import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { isInside } from '../../files/is-inside.ts';
import { isSuiteName } from '../discover.ts';
import { isPrivate } from '../file-parts.ts';
import { hashOf, printCode, type CodePlace, type CodePrint } from './code-print.ts';
import type { NamedPath, NamedStart } from './named-paths.ts';
import { CODE, namesInFile, wordsIn } from './names-in-file.ts';
import { isOwnPath, listOwnFiles, OUTPUT } from './own-files.ts';
import { isFile, isFolder, namesIn } from './references.ts';

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
  /** Texts of the agent's settings: each may name files too. */
  readonly settings?: readonly string[];
  /** Files and folders that count in any case. */
  readonly declared?: readonly string[];
  /** The suites, whose names may be any: what they check says nothing about the agent. */
  readonly suites?: readonly string[];
}

/** A larger folder is rather a store than something that people write. */
const MOST_IN_FOLDER = 500;
export const MOST_DECLARED = 10_000;
export const MOST_FILES = 20_000;
/** Larger files are told apart by size and time. */
const LARGEST_HASHED = 16 * 1024 * 1024;
/** The size up to which a file that is not code is searched for names. */
const LARGEST_MANIFEST = 256 * 1024;
const SHORTEST_START = 3;
const LONGEST_SETTING = 2000;
const LISTS_FOLDERS = /readdir|opendir|glob|iterdir|listdir|scandir|walk/i;
const BUILD_FILE = /^(?:(?:gnu)?make|just)file$/i;
/** The code knows where it is. */
const OWN_NAME = /__file(?:name)?\b|import\.meta\b/;
const LISTS_SUBFOLDERS = /\*\*|rglob|walk|recursive/i;

/**
 * The files of the project that code names in its texts, such as prompts: it may read them while it runs. So may what
 * these files name in turn. Code that is part of `code` is left out, unless the agent writes it; so are suites and `.env`.
 */
export function printNamedData(code: CodePrint, place: DataPlace): DataPrint {
  const search = new DataSearch(code, place);
  for (const key of code.files.keys()) search.addCode(key);
  for (const text of place.settings ?? []) search.addSetting(text);
  for (const declared of place.declared ?? []) search.addDeclared(declared);
  search.finish();
  return search.files;
}

/** The files of a declared file or folder. Undefined if it does not exist, or has too many. */
export function filesOfDeclared(path: string): readonly string[] | undefined {
  if (isFile(path)) return [path];
  if (!isFolder(path)) return undefined;
  const folder = realpathSync(path);
  return listOwnFiles(folder, {
    most: MOST_DECLARED,
    isWanted: (name) => !OUTPUT.test(name),
    hasHidden: true,
  });
}

interface Found {
  readonly path: string;
  readonly place: string;
}

interface Bases {
  readonly folders: readonly string[];
  mayHave(named: NamedStart): boolean;
}

class DataSearch {
  readonly files = new Map<string, NamedFile>();
  private readonly root: string;
  /** Where files of the project may be. */
  private readonly homes: readonly string[];
  private readonly code: CodePrint;
  private readonly place: DataPlace;
  private readonly suites: ReadonlySet<string>;
  private readonly folderNames = new FolderNames();
  private readonly seen = new Map<string, readonly Found[]>();
  /** Files whose texts are searched next. */
  private readonly waiting: string[] = [];
  /** Code that is loaded by its name at run time: what it loads is looked for next. */
  private newCode: string[] = [];
  /** Folders that names were relative to. */
  private readonly bases = new Set<string>();
  private readonly basesOfFolder = new Map<string, Bases>();
  private readonly words = new Set<string>();
  /** Names that no folder has so far: they may be below one of the words. */
  private readonly loose = new Map<string, NamedPath>();
  private readonly suffixes = new Set<string>();

  constructor(code: CodePrint, place: DataPlace) {
    this.code = code;
    this.place = place;
    this.root = realpathSync(place.projectRoot);
    // An agent outside of the project has its prompts beside it.
    const outside = [...code.files.keys()].filter((key) => key.startsWith('../'));
    this.homes = [this.root, ...new Set(outside.map((key) => dirname(resolve(this.root, key))))];
    this.suites = new Set((place.suites ?? []).map((path) => this.keyOf(realPath(path) ?? path)));
  }

  addCode(key: string): void {
    const path = resolve(this.root, key);
    if (isProgram(path)) this.waiting.push(path);
    // What code loads as data, it may also write.
    else if (isFile(path)) this.add({ path, place: path }, false);
  }

  addSetting(text: string): void {
    const { folders } = this.place;
    if (text.length > LONGEST_SETTING || text.includes('\n')) return;
    for (const path of new Set([text, text.replace(/^file:\/\//, '')]))
      // A single word is a name, a model or a provider.
      if (/[./]/.test(path))
        this.look(
          {
            kind: 'path',
            path,
            isStart: path.endsWith('/'),
            isWritten: () => false,
          },
          folders,
          '',
        );
    for (const named of wordsIn(text))
      if (/[./]/.test(named.path)) this.look(named, folders, '');
      else this.words.add(named.path);
    for (const folder of folders) this.bases.add(folder);
  }

  addDeclared(place: string): void {
    for (const path of filesOfDeclared(place) ?? []) this.add({ path, place }, false);
  }

  finish(): void {
    do {
      for (let file = this.waiting.pop(); file !== undefined; file = this.waiting.pop())
        this.searchFile(file);
      this.searchWords();
      this.addLoaded();
    } while (this.waiting.length > 0);
  }

  /** All at once: files that load each other would be read again and again. */
  private addLoaded(): void {
    const starts = this.newCode;
    this.newCode = [];
    if (starts.length === 0) return;
    for (const key of printCode(starts, this.place).files.keys()) {
      const path = resolve(this.root, key);
      if (!this.files.has(key)) this.add({ path, place: path }, false);
    }
  }

  private searchFile(file: string): void {
    const isCode = CODE.test(file) || extname(file) === '';
    const text = textOf(file, isCode ? LARGEST_HASHED : LARGEST_MANIFEST);
    const bases = this.basesOf(file);
    const listed = isCode && LISTS_FOLDERS.test(text) ? dirname(file) : undefined;
    const isWanted = (start: NamedStart): boolean => {
      if (start.kind === 'word') this.words.add(start.path);
      else if (start.kind === 'suffix') {
        this.addSuffix(start.path, text, listed);
        if (OWN_NAME.test(text)) this.addSibling(file, start.path);
      } else if (bases.mayHave(start)) return true;
      else this.addLoose(start);
      return false;
    };
    for (const named of namesInFile(file, text, isWanted))
      if (!this.look(named, bases.folders, file)) this.addLoose(named);
  }

  private addLoose({ kind, path, isStart }: NamedStart): void {
    if (/^(?:\.{0,2}[\\/]|~)/.test(path)) return;
    this.loose.set(`${path}\0${isStart}`, { kind, path, isStart, isWritten: () => false });
  }

  /** Where its names may lead, and whether one of these folders may have a name: most have none. */
  private basesOf(file: string): Bases {
    let bases = this.basesOfFolder.get(dirname(file));
    if (bases === undefined) {
      const folders = [...new Set([...this.foldersAbove(file), ...this.place.folders])];
      for (const folder of folders) this.bases.add(folder);
      const names = new Set(folders.flatMap((folder) => [...this.folderNames.of(folder)]));
      bases = { folders, mayHave: (named) => mayBeIn(names, named) };
      this.basesOfFolder.set(dirname(file), bases);
    }
    return bases;
  }

  /** Its own folder, and those above it, up to the root: code may find the root of its package. */
  private foldersAbove(file: string): readonly string[] {
    const home = this.homes.find((folder) => isInside(file, folder)) ?? dirname(file);
    const folders = [dirname(file)];
    while (folders.at(-1) !== home && isInside(folders.at(-1)!, home)) folders.push(dirname(folders.at(-1)!));
    return folders;
  }

  private addSuffix(suffix: string, text: string, listed: string | undefined): void {
    this.suffixes.add(suffix);
    if (listed === undefined || CODE.test(suffix)) return;
    const inside = LISTS_SUBFOLDERS.test(text) ? this.filesIn(listed, '') : filesStarting(listed, '');
    for (const { path } of inside) if (path.endsWith(suffix)) this.add({ path, place: listed }, false);
  }

  /** `Path(__file__).with_suffix('.md')`. */
  private addSibling(file: string, suffix: string): void {
    const path = file.slice(0, file.length - extname(file).length) + suffix;
    if (path !== file && !CODE.test(suffix) && isFile(path)) this.add({ path, place: path }, false);
  }

  /** A folder that one text names, and a file in it that another names, or a kind of file. */
  private searchWords(): void {
    const byFirst = new Map<string, string[]>();
    for (const word of this.words) {
      const [first = ''] = word.split('/');
      const others = byFirst.get(first);
      if (others === undefined) byFirst.set(first, [word]);
      else others.push(word);
    }
    for (const base of this.bases)
      for (const name of this.folderNames.of(base))
        for (const word of byFirst.get(name) ?? []) {
          const folder = realPath(resolve(base, word));
          if (folder === undefined || !isFolder(folder)) continue;
          if (!isOwnPath(folder, this.homes) || this.homes.includes(folder)) continue;
          for (const named of this.loose.values()) this.look(named, [folder], '');
          for (const found of this.suffixes.size === 0 ? [] : this.filesIn(folder, ''))
            if ([...this.suffixes].some((suffix) => found.path.endsWith(suffix) && !CODE.test(suffix)))
              this.add(found, false);
        }
  }

  /** Whether there is something of that name. */
  private look(named: NamedPath, bases: readonly string[], file: string): boolean {
    let hasFound = false;
    for (const base of bases) {
      if (!this.folderNames.mayHave(base, named)) continue;
      const path = resolve(base, named.path);
      // Of a folder around the code that names it, the code is known already.
      const isAround = isInside(file, path);
      const key = `${path}\0${named.isStart}\0${isAround}`;
      let found = this.seen.get(key);
      if (found === undefined) this.seen.set(key, (found = this.filesOf(path, named, isAround ? path : '')));
      for (const each of found) this.add(each, named.isWritten());
      hasFound ||= found.length > 0;
    }
    return hasFound;
  }

  private filesOf(path: string, { isStart }: NamedPath, around: string): readonly Found[] {
    const { homes } = this;
    const real = realPath(path);
    if (real !== undefined && isOwnPath(real, homes)) {
      if (isFile(real)) return isStart ? [] : [{ path: real, place: real }];
      if (isFolder(real)) return homes.includes(real) ? [] : this.filesIn(real, around);
    }
    if (!isStart) return [];
    // `prompts/intro-${language}.md` may be any file whose name starts so.
    const folder = realPath(dirname(path));
    const start = basename(path);
    const isUsable = folder !== undefined && start.length >= SHORTEST_START && isFolder(folder);
    return isUsable && isOwnPath(folder, homes) ? filesStarting(folder, start) : [];
  }

  private filesIn(folder: string, around: string): readonly Found[] {
    const isWanted = (name: string): boolean => around === '' || !CODE.test(name);
    const files =
      listOwnFiles(folder, {
        most: MOST_IN_FOLDER,
        homes: this.homes,
        isWanted,
      }) ?? [];
    return files.map((path) => ({ path, place: folder }));
  }

  private add({ path, place: named }: Found, isWritten: boolean): void {
    const { files } = this;
    const key = this.keyOf(path);
    const isKnownCode = this.code.files.has(key) && isProgram(path);
    const isDeclared = this.place.declared?.includes(path) === true;
    const isSuite = this.suites.has(key) || (isSuiteName(basename(path)) && !isDeclared);
    if ((isKnownCode && !isWritten) || isSuite) return;
    const before = files.get(key);
    if (before === undefined && (files.size >= MOST_FILES || (OUTPUT.test(key) && !isDeclared))) return;
    const place = this.keyOf(named);
    files.set(key, {
      hash: before?.hash ?? hashOfData(path),
      // The narrowest one: of `data` and `data/prompts`, the second.
      place: before !== undefined && before.place.length > place.length ? before.place : place,
      isWritten: isWritten || before?.isWritten === true,
    });
    if (before !== undefined || isKnownCode) return;
    this.waiting.push(path);
    if (CODE.test(key)) this.newCode.push(path);
  }

  private keyOf(path: string): string {
    return relative(this.root, path).split(sep).join('/');
  }
}

/** What is in some folders: most texts of code name nothing, and the disk need not be asked about each. */
class FolderNames {
  private readonly folders = new Map<string, ReadonlySet<string>>();

  of(folder: string): ReadonlySet<string> {
    let names = this.folders.get(folder);
    if (names === undefined) this.folders.set(folder, (names = new Set(namesIn(folder))));
    return names;
  }

  mayHave(folder: string, named: NamedPath): boolean {
    return mayBeIn(this.of(folder), named);
  }
}

function mayBeIn(names: ReadonlySet<string>, { path, isStart }: NamedStart): boolean {
  // `/x` and `./x` are elsewhere or deeper, and `intro-${language}` is only the start of a name.
  if (/^[./\\]/.test(path)) return true;
  const end = path.search(/[\\/]/);
  return end < 0 ? isStart || names.has(path) : names.has(path.slice(0, end));
}

function filesStarting(folder: string, start: string): readonly Found[] {
  return namesIn(folder)
    .filter((name) => name.startsWith(start) && !isPrivate(name))
    .map((name) => ({ path: join(folder, name), place: join(folder, start) }))
    .filter(({ path }) => isFile(path));
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** A file without an extension may also be data that the code writes. */
function isProgram(file: string): boolean {
  if (extname(file) !== '') return CODE.test(file);
  return BUILD_FILE.test(basename(file)) || textOf(file, LARGEST_HASHED).startsWith('#!');
}

function textOf(file: string, most: number): string {
  try {
    return statSync(file).size > most ? '' : readFileSync(file, 'utf8');
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
