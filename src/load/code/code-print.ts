import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname, extname, relative, resolve, sep } from 'node:path';
import { isInside } from '../../files/is-inside.ts';
import { shellReferences } from './command-references.ts';
import { OUTPUT } from './own-files.ts';
import { pythonReferences } from './python-references.ts';
import type { References } from './references.ts';
import { scriptReferences } from './script-references.ts';

export interface CodePlace {
  readonly projectRoot: string;
  /** Folders to search for names, besides the folder of the file that names them. */
  readonly folders: readonly string[];
}

export interface CodePrint {
  /** A hash of each file, by its path from the root; `absent` for a file that is named but does not exist. */
  readonly files: ReadonlyMap<string, string>;
  /** False if there was more than the limit. */
  readonly isComplete: boolean;
}

export const ABSENT = 'absent';
const MOST_FILES = 1000;
const MOST_BYTES = 256 * 1024 * 1024;
/** The size up to which a file is searched for names. */
const LONGEST_TEXT = 4 * 1024 * 1024;
/** Its references are what it loads: those of a shell script may be anything. */
export const LOADS = /\.(?:[cm]?[jt]sx?|py)$/i;
/** Installed packages are not part of the project. */
const INSTALLED = /(?:^|\/)(?:node_modules|site-packages|\.venv|venv|dist-packages|\.git|\.assay)(?:\/|$)/;

/**
 * Hashes of some files of a project, and of every file of the project that they load: read, not executed. The same
 * files give the same result on every machine.
 */
export function printCode(starts: Iterable<string>, { projectRoot, folders }: CodePlace): CodePrint {
  const root = realpathSync(projectRoot);
  const files = new Map<string, string>();
  const searched = new Set(folders);
  const seen = new Set<string>();
  const waiting: string[] = [];
  const homes = [root];
  let bytes = 0;
  const isOwn = (path: string): boolean =>
    homes.some((home) => isInside(path, home)) && !INSTALLED.test(keyOf(root, path));
  const note = (path: string, { isLoaded }: { readonly isLoaded: boolean }): void => {
    const real = realPath(path);
    // A log that a command writes changes with each run.
    if (seen.has(real) || OUTPUT.test(real)) return;
    seen.add(real);
    // A package of the same workspace may be outside of the project.
    if (isOwn(real) || (isLoaded && !INSTALLED.test(keyOf(root, real)))) waiting.push(real);
  };
  for (const start of starts) {
    // Somebody named an agent outside of the project on purpose: the files beside it belong to it.
    if (!isInside(realPath(start), root)) homes.push(dirname(realPath(start)));
    note(start, { isLoaded: false });
  }
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (files.size >= MOST_FILES || bytes > MOST_BYTES) return { files, isComplete: false };
    const read = tryHash(path);
    if (Number.isFinite(read.bytes)) bytes += read.bytes;
    files.set(keyOf(root, path), read.hash);
    const named = read.bytes > LONGEST_TEXT ? undefined : referencesOf(path, [...searched]);
    for (const folder of named?.folders ?? []) searched.add(folder);
    for (const other of named?.files ?? []) note(other, { isLoaded: LOADS.test(path) });
    for (const other of named?.absent ?? []) if (isOwn(other)) files.set(keyOf(root, other), ABSENT);
  }
  return { files, isComplete: true };
}

function keyOf(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function referencesOf(file: string, folders: readonly string[]): References | undefined {
  const extension = extname(file).toLowerCase();
  if (/^\.(?:[cm]?[jt]s|[jt]sx)$/.test(extension)) return scriptReferences(file, readFileSync(file, 'utf8'));
  if (extension === '.py') return pythonReferences(file, readFileSync(file, 'utf8'), folders);
  if (/^\.(?:sh|bash|zsh)$/.test(extension) || basename(file) === 'package.json')
    return shellReferences(file, readFileSync(file, 'utf8'), folders);
  if (/^(?:make|gnumake|just)file$/i.test(basename(file)) || /^taskfile\.ya?ml$/i.test(basename(file)))
    return shellReferences(file, readFileSync(file, 'utf8'), folders);
  if (extension !== '') return undefined;
  // For a program without an extension, the first line names its interpreter.
  const text = readFileSync(file, 'utf8');
  const [, interpreter = ''] = /^#!.*?\b(node|bun|deno|python|(?:ba|z|da)?sh)/.exec(text) ?? [];
  if (interpreter === '') return undefined;
  if (interpreter === 'python') return pythonReferences(file, text, folders);
  return interpreter.endsWith('sh') ? shellReferences(file, text, folders) : scriptReferences(file, text);
}

function tryHash(path: string): ReturnType<typeof hashOf> {
  try {
    return hashOf(path);
  } catch {
    return { hash: 'unreadable', bytes: Infinity };
  }
}

const CHUNK_BYTES = 256 * 1024;

/** Half of its SHA-256: it is only compared, and travels with every beat of a run. */
export function hashOf(path: string): {
  readonly hash: string;
  readonly bytes: number;
} {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, size)));
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk))
      hash.update(chunk.subarray(0, read));
    return { hash: hash.digest('hex').slice(0, 32), bytes: size };
  } finally {
    closeSync(file);
  }
}
