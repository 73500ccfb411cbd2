import { readdirSync, readFileSync, rmSync, statSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder, refuseLinks } from '../../files/make-folder.ts';
import { writeWhole } from '../../files/write-whole.ts';
import type { DataPrint } from '../../load/code/data-print.ts';
import { hashHex } from '../../match/hash-text.ts';
import { epochMs, startTimer } from '../../system-time.ts';

/** When agents and checks ran. */
interface Round {
  readonly started: number;
  /** Undefined until it ends, and if it was killed. */
  readonly ended?: number | undefined;
  /** Its process: another run may be at work in the same project. */
  readonly pid: number;
}

interface Rounds {
  readonly rounds: readonly Round[];
  /** Files that changed in the last rounds, and folders that got new files. */
  readonly changing: readonly string[];
  /** How often each of them changed during a round lately. */
  readonly lately: Readonly<Record<string, number>>;
  /** How many rounds in a row each of them started on its own, soon after the round before. */
  readonly blamed: Readonly<Record<string, number>>;
}

/** A file by its path: its hash, and the file or folder that the code names. */
type FileSet = Readonly<Record<string, readonly [hash: string, place: string]>>;

interface FileChangesFound {
  /** Somebody changed them. */
  readonly edited: readonly string[];
  /** They change whenever the code runs: it writes them itself. */
  readonly output: readonly string[];
  /** Those of them that somebody may have edited after all: no line of the code writes there. */
  readonly unsure: readonly string[];
}

const MOST_ROUNDS = 100;
const MOST_SETS = 500;
const ROUNDS = 'rounds.json';
const SET_NAME = /^[0-9a-f]{16}\.json$/;
/** How long after a run its process may still end. */
const ENDING_MS = 5000;
/** The clock of file systems is a little late: a file may seem older than it is, never younger. */
const CLOCK_MS = 5;
/** A program that still works after a run writes within this time: a server, or one that nobody waits for. */
const LATE_MS = 10_000;
const MOST_LATELY = 6;
/** What programs rather write than people. */
const DATA = /\.(?:jsonl?|ndjson|csv|tsv|xml|bin|dat|pkl|parquet)$|\/[^./]+$/i;

/**
 * The files that the code of agents and checks names, as they were when it ran: in `.assay/cache/named-files`. Tells
 * apart what people edit and what the code writes itself; otherwise an agent that keeps a log would run for ever.
 */
export class NamedFiles {
  private readonly folder: string;
  private readonly root: string;
  private readonly known: Rounds;
  /** Before any agent is loaded or started. */
  private readonly started = epochMs();
  private readonly sets = new Map<string, FileSet | undefined>();
  private readonly compared = new Map<string, FileChangesFound>();
  private readonly changing = new Set<string>();
  private readonly lately = new Map<string, number>();
  private readonly blamed = new Map<string, number>();

  constructor(projectRoot: string) {
    this.root = projectRoot;
    this.folder = join(projectRoot, '.assay', 'cache', 'named-files');
    this.known = this.readRounds();
    for (const [subject, times] of Object.entries(this.known.lately))
      if (times > 1) this.lately.set(subject, times - 1);
  }

  /** What changed since an attempt. Undefined if it is not known how the files were. */
  changesSince(recorded: string | undefined, now: DataPrint): FileChangesFound | undefined {
    const key = `${recorded ?? ''}\0${identityOf(now) ?? ''}`;
    let found = this.compared.get(key);
    if (found !== undefined) return found;
    const before = recorded === undefined ? {} : this.setOf(recorded);
    if (before === undefined) return undefined;
    found = recorded === identityOf(now) ? NOTHING : this.compare(before, now);
    this.compared.set(key, found);
    return found;
  }

  /** Files that the code writes itself, as far as was compared. */
  get output(): readonly string[] {
    return [...new Set([...this.compared.values()].flatMap(({ output }) => output))];
  }

  /** Those of them that somebody may have edited. */
  get unsureOutput(): readonly string[] {
    return [...new Set([...this.compared.values()].flatMap(({ unsure }) => unsure))];
  }

  /** Keeps how the files are, and that a round began. Call `ended` afterwards. */
  begin(prints: Iterable<DataPrint>): { ended(): void } {
    for (const print of prints) {
      const identity = identityOf(print);
      if (identity === undefined || this.setOf(identity) !== undefined) continue;
      this.write(`${identity}.json`, setOfPrint(print));
    }
    this.removeOldSets();
    const { started } = this;
    const { pid } = process;
    const note = (ended?: number): void => {
      // Another run may have noted something meanwhile.
      const others = this.readRounds().rounds.filter(
        (round) => round.pid !== pid || round.started !== started,
      );
      this.write(ROUNDS, {
        rounds: [...others, { started, ended, pid }].slice(-MOST_ROUNDS),
        changing: [...this.changing],
        lately: Object.fromEntries(this.lately),
        blamed: Object.fromEntries(this.blamed),
      });
    };
    note();
    return {
      ended: () => {
        note(epochMs());
        // An agent may still write when the process ends: its own listener was there before this one.
        const atExit = (): void => note(epochMs());
        process.once('exit', atExit);
        startTimer(() => process.off('exit', atExit), ENDING_MS).unref();
      },
    };
  }

  private compare(before: FileSet, now: DataPrint): FileChangesFound {
    const edited: string[] = [];
    const output: string[] = [];
    const unsure: string[] = [];
    for (const path of new Set([...Object.keys(before), ...now.keys()])) {
      const [hash, formerPlace] = before[path] ?? [];
      const file = now.get(path);
      if (file?.hash === hash) continue;
      // A new file has a name that nobody has seen before: its folder is known.
      const isNew = hash === undefined || file === undefined;
      const subject = isNew ? (file?.place ?? formerPlace!) : path;
      const isWritten = file?.isWritten === true;
      const isOutput = this.isOutput(subject, { path, isWritten });
      (isOutput ? output : edited).push(path);
      if (isOutput && !isNew && !isWritten) unsure.push(path);
    }
    return { edited, output, unsure };
  }

  private isOutput(
    subject: string,
    { path, isWritten }: { readonly path: string; readonly isWritten: boolean },
  ): boolean {
    const savedMs = savedAt(resolve(this.root, path));
    const isDuring = this.wasDuring(savedMs);
    const hasChanged = this.known.changing.includes(subject);
    if (isDuring || hasChanged) this.changing.add(subject);
    const { lately = 0, blamed = 0 } = {
      lately: this.known.lately[subject],
      blamed: this.known.blamed[subject],
    };
    if (isDuring) this.lately.set(subject, Math.min(lately + 2, MOST_LATELY));
    if (isDuring) return hasChanged || isWritten;
    const most = mostRounds({
      isWritten,
      hasChanged,
      isOften: lately > 2,
      isData: DATA.test(path),
      isSoon: this.wasDuring(savedMs, LATE_MS),
    });
    this.blamed.set(subject, Math.min(blamed + 1, most));
    return blamed >= most;
  }

  private wasDuring(savedMs: number | undefined, lateMs = 1): boolean {
    return (
      savedMs !== undefined &&
      this.known.rounds.some(
        ({ started, ended, pid }) =>
          savedMs >= started - CLOCK_MS &&
          savedMs <= (ended ?? (isAnotherAlive(pid) ? Infinity : 0)) + lateMs,
      )
    );
  }

  private readRounds(): Rounds {
    const {
      rounds = [],
      changing = [],
      lately = {},
      blamed = {},
    } = readJson<Partial<Rounds>>(join(this.folder, ROUNDS)) ?? {};
    return { rounds, changing, lately, blamed };
  }

  private setOf(identity: string): FileSet | undefined {
    if (!this.sets.has(identity))
      this.sets.set(identity, readJson<FileSet>(join(this.folder, `${identity}.json`)));
    return this.sets.get(identity);
  }

  /** If it cannot be written, the next run calls the agent again. */
  private write(name: string, value: object): void {
    try {
      makeFolder(this.folder, { mode: 0o700 });
      writeWhole(join(this.folder, name), JSON.stringify(value), { mode: 0o600 });
    } catch {
      // As above.
    }
  }

  private removeOldSets(): void {
    try {
      refuseLinks(this.folder);
      const sets = readdirSync(this.folder)
        .filter((name) => SET_NAME.test(name))
        .map((name) => ({ name, at: statSync(join(this.folder, name)).mtimeMs }))
        .toSorted((a, b) => b.at - a.at);
      for (const { name } of sets.slice(MOST_SETS)) rmSync(join(this.folder, name), { force: true });
    } catch {
      // Another run removed one.
    }
  }
}

interface Suspicion {
  /** A line of the code writes it. */
  readonly isWritten: boolean;
  /** It changed during the last round. */
  readonly hasChanged: boolean;
  /** It changed during several rounds lately. */
  readonly isOften: boolean;
  readonly isData: boolean;
  /** It was saved soon after a round. */
  readonly isSoon: boolean;
}

/** How many rounds in a row a file may start that was saved between rounds: at some point, nobody edits it. */
function mostRounds({ isWritten, hasChanged, isOften, isData, isSoon }: Suspicion): number {
  if (isWritten) return isSoon ? 2 : Infinity;
  if (hasChanged && isData) return isSoon ? 2 : 5;
  if (isOften) return isData ? 3 : 8;
  // People save a prompt many times, but not always within seconds of a result.
  return isSoon ? 25 : Infinity;
}

function setOfPrint(print: DataPrint): FileSet {
  return Object.fromEntries([...print].map(([path, { hash, place }]) => [path, [hash, place]]));
}

const NOTHING: FileChangesFound = { edited: [], output: [], unsure: [] };

/** Identifies the content of some files; undefined if there are none. */
export function identityOf(files: DataPrint): string | undefined {
  if (files.size === 0) return undefined;
  return hashHex(JSON.stringify([...files].map(([path, { hash }]) => [path, hash]).toSorted()));
}

/**
 * When a file was saved, or, if it is gone, when its folder lost it. A file that is moved or restored keeps the time of
 * its content, so the time of the change itself counts too.
 */
function savedAt(path: string): number | undefined {
  const stats = statsOf(path) ?? statsOf(dirname(path));
  return stats && Math.max(stats.mtimeMs, stats.ctimeMs);
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** In a container, a new process often has the number of one that was killed: our own is not another one. */
function isAnotherAlive(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch {
    return false;
  }
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
