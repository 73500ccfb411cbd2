import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import vm from 'node:vm';
import { startTimer } from '../system-time.ts';
import { writeWhole } from '../files/write-whole.ts';

const KEPT_AFTER_MS = 1000;

/** What Node calls with the text of each required file. */
const COMPILE = '_compile';
type Compile = (this: NodeModule, content: string, file: string) => unknown;

/**
 * Does what newer versions of Node do with `module.enableCompileCache`, for our own files only. There is one cache
 * per command: it contains the functions that the command calls.
 */
export function keepCompiled(command: string): void {
  const folder = cacheFolder();
  if (folder === undefined) return;
  const own = dirname(import.meta.filename) + sep;
  const prototype = module.prototype as unknown as Record<typeof COMPILE, Compile>;
  const compileUsually = prototype[COMPILE];
  const fresh = new Map<string, vm.Script>();
  prototype[COMPILE] = function compile(content, filename) {
    if (!filename.startsWith(own) || !canBeKept(content)) return compileUsually.call(this, content, filename);
    const kept = join(folder, `${command}-${keyOf(filename)}`);
    const cachedData = readKept(kept);
    const script = new vm.Script(module.wrap(content), { filename, cachedData });
    if (cachedData === undefined || script.cachedDataRejected === true) fresh.set(kept, script);
    const run = script.runInThisContext() as (...args: unknown[]) => unknown;
    const { exports } = this;
    return run.call(exports, exports, module.createRequire(filename), this, filename, dirname(filename));
  };
  const keepAll = (): void => {
    if (fresh.size === 0) return;
    for (const [path, script] of fresh) keep(path, script);
    fresh.clear();
    removeOldest(folder);
  };
  // At the end, when all needed functions were compiled; but in a long run V8 drops those of the beginning.
  process.once('exit', keepAll);
  startTimer(keepAll, KEPT_AFTER_MS).unref();
}

/** For a short file, reading the cache takes longer than compiling; and a script cannot import modules. */
function canBeKept(content: string): boolean {
  return content.length > 5000 && !content.includes('import(');
}

/** Undefined without a home folder, or if others could write there: the content would be executed. */
function cacheFolder(): string | undefined {
  try {
    const home = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
    const folder = join(home, 'assay', `${process.version}-${process.arch}`);
    return isAbsolute(home) && [dirname(folder), folder].every(isOurs) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Also a folder that does not exist yet. */
function isOurs(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  return stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
}

/** V8 compares only lengths; but only chunks are cached, and their names contain a hash of their content. */
function keyOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `${basename(file)}-${size}-${Math.trunc(mtimeMs)}`;
}

const DIGEST_BYTES = 32;

/** The cached data, if it is complete: V8 does not check. */
function readKept(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    const data = bytes.subarray(DIGEST_BYTES);
    return digest(data).equals(bytes.subarray(0, DIGEST_BYTES)) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** If anything goes wrong, the next start simply takes as long as this one did. */
function keep(path: string, script: vm.Script): void {
  try {
    const data = script.createCachedData();
    makeFolder(dirname(path));
    writeWhole(path, Buffer.concat([digest(data), data]), { mode: 0o600 });
  } catch {
    // Another user's folder, a full disk.
  }
}

/** Not with `recursive`, which in some places (/proc) never ends. */
function makeFolder(path: string): void {
  for (const folder of [dirname(dirname(path)), dirname(path), path])
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
}

function digest(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

/** A version of Assay needs a few for each command. */
const MOST_KEPT = 100;

function removeOldest(folder: string): void {
  try {
    const files = readdirSync(folder).map((name) => join(folder, name));
    if (files.length <= MOST_KEPT) return;
    const ages = files.map((path) => ({ path, at: statSync(path).mtimeMs })).toSorted((a, b) => b.at - a.at);
    for (const { path } of ages.slice(MOST_KEPT / 2)) rmSync(path, { force: true });
  } catch {
    // Somebody else is at it.
  }
}
