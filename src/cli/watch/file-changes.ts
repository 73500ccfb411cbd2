import { createHash } from 'node:crypto';
import { readFileSync, statSync, type Stats } from 'node:fs';
import { relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { startInterval, startTimer, stopTimer } from '../../base/system/system-time.ts';

/** Editors write a file in several steps, and several files at once. */
const BUFFER_MS = 120;
const FOLDER_CHECK_MS = 500;
const IGNORED = new Set(['node_modules', '.git', '.assay', '__pycache__', '.venv', 'venv']);
/** How a report is named until it is complete. */
const DRAFT = /\.\d+\.tmp$/;
/** Larger files are told apart by size and time. */
const LARGEST_HASHED = 16 * 1024 * 1024;

export interface FileChanges {
  /** Watches these files too. */
  add(paths: readonly string[]): void;
  /** Changes of these files, which runs write, do not count. */
  ignore(paths: readonly string[]): void;
  close(): Promise<void>;
}

interface FileChangesOptions {
  /** Called with paths relative to the folder, whose content is another one than before. */
  readonly onChange: (paths: readonly string[]) => void;
  readonly onProblem: (message: string) => void;
  /** The folder itself was removed. */
  readonly onGone: () => void;
  /** There is a folder again, which may be another one, with other files. */
  readonly onBack: () => void;
}

interface WatcherOptions extends Pick<FileChangesOptions, 'onChange' | 'onProblem'> {
  /** Files that the runs write, and that nobody edits. */
  readonly written: ReadonlySet<string>;
}

/** Watches a folder. What is saved without a change is not reported, and neither is what Assay itself writes. */
export async function watchFiles(folder: string, given: FileChangesOptions): Promise<FileChanges> {
  const written = new Set<string>();
  const options = { ...given, written };
  let watched = statFolder(folder);
  let files = await openWatcher(folder, options);
  let isOpening = false;
  // A folder that was removed and made again has the same name, but nobody hears of its files any more.
  const check = async (): Promise<void> => {
    if (isOpening) return;
    const before = watched;
    const now = statFolder(folder);
    if (before !== undefined && now !== undefined && isSameFolder(before, now)) {
      if (before.birthtimeMs === now.birthtimeMs) watched = now;
      return;
    }
    watched = now;
    if (now === undefined) return before === undefined ? undefined : options.onGone();
    isOpening = true;
    await files.close();
    files = await openWatcher(folder, options);
    isOpening = false;
    options.onBack();
  };
  const timer = startInterval(() => void check(), FOLDER_CHECK_MS);
  return {
    add: (paths) => files.add(paths),
    ignore: (paths) => {
      for (const path of paths) written.add(path);
    },
    close: () => {
      stopTimer(timer);
      return files.close();
    },
  };
}

async function openWatcher(
  folder: string,
  { onChange, onProblem, written }: WatcherOptions,
): Promise<Pick<FileChanges, 'add' | 'close'>> {
  const prints = new Map<string, string>();
  const touched = new Set<string>();
  const isReport = (path: string): boolean => written.has(path.replace(DRAFT, ''));
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    const changed = [...touched].filter((path) => {
      if (isReport(path)) return false;
      const before = prints.get(path) ?? '';
      const now = printOf(path);
      if (now === '') prints.delete(path);
      else prints.set(path, now);
      return now !== before;
    });
    touched.clear();
    if (changed.length > 0) onChange(changed.map((path) => relative(folder, path)).toSorted());
  };
  const touch = (path: string): void => {
    touched.add(path);
    stopTimer(timer);
    timer = startTimer(flush, BUFFER_MS);
  };
  const watcher = watch(folder, {
    ignored: (path) =>
      isReport(path) ||
      relative(folder, path)
        .split(sep)
        .some((name) => IGNORED.has(name)),
  });
  const ready = new Promise<void>((settle) => watcher.once('ready', settle));
  let isReady = false;
  watcher.on('all', (event, path) => {
    if (event === 'add' && !isReady) prints.set(path, printOf(path));
    else if (event !== 'addDir' && event !== 'unlinkDir') touch(path);
  });
  watcher.on('error', (error) => onProblem(`cannot watch everything: ${(error as Error).message}`));
  await ready;
  isReady = true;
  return {
    add: (paths) => {
      for (const path of paths.filter((each) => !prints.has(each))) {
        prints.set(path, printOf(path));
        watcher.add(path);
      }
    },
    close: () => {
      stopTimer(timer);
      return watcher.close();
    },
  };
}

/** Undefined if there is none, or none that may be looked at. */
function statFolder(folder: string): Stats | undefined {
  try {
    return statSync(folder);
  } catch {
    return undefined;
  }
}

/** False if another folder took its place. File systems such as ext4 give it the same number. */
function isSameFolder(before: Stats, now: Stats): boolean {
  if (before.dev !== now.dev || before.ino !== now.ino) return false;
  // Where no time of birth is kept, Node may give the time of the last change instead.
  return (
    before.birthtimeMs === now.birthtimeMs || [before, now].every((one) => one.birthtimeMs === one.ctimeMs)
  );
}

/** Identifies the content of a file; empty if there is none. Reading a pipe would wait for a writer. */
function printOf(path: string): string {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return '';
    const { size, mtimeMs } = stats;
    if (size > LARGEST_HASHED) return `${size} ${mtimeMs}`;
    return createHash('sha1').update(readFileSync(path)).digest('hex');
  } catch {
    return '';
  }
}
