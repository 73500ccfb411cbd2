import { statSync } from 'node:fs';
import module from 'node:module';
import { basename, dirname, join, sep } from 'node:path';
import vm from 'node:vm';
import { onCommandEnd } from '../system/command-end.ts';
import { startTimer } from '../system/system-time.ts';
import { cacheFolder, keepCached, readCached, removeOldest } from './private-cache.ts';

const KEPT_AFTER_MS = 1000;
/** A version of Assay needs a few for each command. */
const MOST_KEPT = 100;

/** What Node calls with the text of each required file. */
const COMPILE = '_compile';
type Compile = (this: NodeModule, content: string, file: string) => unknown;

let isKeeping = false;

/**
 * Does what newer versions of Node do with `module.enableCompileCache`, for our own files only. There is one cache
 * per command: it contains the functions that the command calls.
 */
export function keepCompiled(command: string): void {
  // Once: another command of the same process has nothing left to load.
  const folder = isKeeping ? undefined : cacheFolder(`${process.version}-${process.arch}`);
  if (folder === undefined) return;
  isKeeping = true;
  const own = dirname(import.meta.filename) + sep;
  const prototype = module.prototype as unknown as Record<typeof COMPILE, Compile>;
  const compileUsually = prototype[COMPILE];
  const fresh = new Map<string, vm.Script>();
  prototype[COMPILE] = function compile(content, filename) {
    if (!filename.startsWith(own) || !canBeKept(content)) return compileUsually.call(this, content, filename);
    const kept = join(folder, `${command}-${keyOf(filename)}`);
    const cachedData = readCached(kept);
    const script = new vm.Script(module.wrap(content), { filename, cachedData });
    if (cachedData === undefined || script.cachedDataRejected === true) fresh.set(kept, script);
    const run = script.runInThisContext() as (...args: unknown[]) => unknown;
    const { exports } = this;
    return run.call(exports, exports, module.createRequire(filename), this, filename, dirname(filename));
  };
  const keepAll = (): void => {
    if (fresh.size === 0) return;
    for (const [path, script] of fresh) keepCached(path, script.createCachedData());
    fresh.clear();
    removeOldest(folder, MOST_KEPT);
  };
  // At the end, when all needed functions were compiled; but in a long run V8 drops those of the beginning.
  onCommandEnd(keepAll);
  startTimer(keepAll, KEPT_AFTER_MS).unref();
}

/** For a short file, reading the cache takes longer than compiling; and a script cannot import modules. */
function canBeKept(content: string): boolean {
  return content.length > 5000 && !content.includes('import(');
}

/** V8 compares only lengths; but only chunks are cached, and their names contain a hash of their content. */
function keyOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `${basename(file)}-${size}-${Math.trunc(mtimeMs)}`;
}
