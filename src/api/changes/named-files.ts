import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeWhole } from '../../files/write-whole.ts';
import type { DataPrint } from '../../load/code/data-print.ts';
import { hashHex } from '../../match/hash-text.ts';
import { epochMs, startTimer } from '../../system-time.ts';

/** When agents and checks ran. */
interface Round {
  readonly started: number;
  /** Undefined until it ends, and if it was killed. */
  readonly ended?: number | undefined;
}

interface Rounds {
  readonly rounds: readonly Round[];
  /** Files and folders that changed in the last rounds. */
  readonly changing: readonly string[];
}

/** A file by its path: its hash, and the file or folder that the code names. */
type FileSet = Readonly<Record<string, readonly [hash: string, place: string]>>;

interface FileChangesFound {
  /** Somebody changed them. */
  readonly edited: readonly string[];
  /** They change whenever the code runs: it writes them itself. */
  readonly output: readonly string[];
}

const MOST_ROUNDS = 100;
const MOST_SETS = 500;
const ROUNDS = 'rounds.json';
/** How long after a run its process may still end. */
const ENDING_MS = 5000;
/** The clock of file systems is a little late. */
const CLOCK_MS = 5;

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

  constructor(projectRoot: string) {
    this.root = projectRoot;
    this.folder = join(projectRoot, '.assay', 'cache', 'named-files');
    this.known = readJson<Rounds>(join(this.folder, ROUNDS)) ?? { rounds: [], changing: [] };
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

  /** Keeps how the files are, and that a round began. Call `ended` afterwards. */
  begin(prints: Iterable<DataPrint>): { ended(): void } {
    for (const print of prints) {
      const identity = identityOf(print);
      if (identity === undefined || this.setOf(identity) !== undefined) continue;
      this.write(`${identity}.json`, setOfPrint(print));
    }
    this.removeOldSets();
    const { started } = this;
    const note = (ended?: number): void =>
      this.write(ROUNDS, {
        rounds: [...this.known.rounds, { started, ended }].slice(-MOST_ROUNDS),
        changing: [...this.changing],
      });
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
    for (const path of new Set([...Object.keys(before), ...now.keys()])) {
      const [hash, formerPlace] = before[path] ?? [];
      const file = now.get(path);
      if (file?.hash === hash) continue;
      const place = file?.place ?? formerPlace!;
      const isDuring = this.wasDuring(savedAt(resolve(this.root, path)));
      const hasChanged = this.known.changing.includes(place);
      if (isDuring || hasChanged) this.changing.add(place);
      const isOutput = isDuring && (hasChanged || file?.isWritten === true);
      (isOutput ? output : edited).push(path);
    }
    return { edited, output };
  }

  private wasDuring(savedMs: number | undefined): boolean {
    return (
      savedMs !== undefined &&
      this.known.rounds.some(
        ({ started, ended }) =>
          ended !== undefined && savedMs >= started - CLOCK_MS && savedMs <= ended + CLOCK_MS,
      )
    );
  }

  private setOf(identity: string): FileSet | undefined {
    if (!this.sets.has(identity))
      this.sets.set(identity, readJson<FileSet>(join(this.folder, `${identity}.json`)));
    return this.sets.get(identity);
  }

  /** If it cannot be written, the next run calls the agent again. */
  private write(name: string, value: object): void {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      writeWhole(join(this.folder, name), JSON.stringify(value), { mode: 0o600 });
    } catch {
      // As above.
    }
  }

  private removeOldSets(): void {
    try {
      const sets = readdirSync(this.folder)
        .filter((name) => name !== ROUNDS)
        .map((name) => ({ name, at: statSync(join(this.folder, name)).mtimeMs }))
        .toSorted((a, b) => b.at - a.at);
      for (const { name } of sets.slice(MOST_SETS)) rmSync(join(this.folder, name), { force: true });
    } catch {
      // Another run removed one.
    }
  }
}

function setOfPrint(print: DataPrint): FileSet {
  return Object.fromEntries([...print].map(([path, { hash, place }]) => [path, [hash, place]]));
}

const NOTHING: FileChangesFound = { edited: [], output: [] };

/** Identifies the content of some files; undefined if there are none. */
export function identityOf(files: DataPrint): string | undefined {
  if (files.size === 0) return undefined;
  return hashHex(JSON.stringify([...files].map(([path, { hash }]) => [path, hash]).toSorted()));
}

/** When a file was saved, or, if it is gone, when its folder lost it. */
function savedAt(path: string): number | undefined {
  const stats =
    statSync(path, { throwIfNoEntry: false }) ?? statSync(dirname(path), { throwIfNoEntry: false });
  return stats?.mtimeMs;
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
