import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { writeWhole } from '../../base/files/write-whole.ts';
import { ownIdentity, stateOf, type ProcessIdentity } from '../processes/process-identity.ts';
import { killOrphans } from '../processes/strays.ts';
import { storeFolder } from './store-folder.ts';

/** What must be known of a workspace to clean up after a kill. */
export interface WorkspaceNote {
  readonly owner: ProcessIdentity;
  /** It stays: somebody wants to look at it. */
  readonly isKept?: boolean | undefined;
  /** Programs that must run in it before it is deleted. */
  readonly teardown?: readonly (readonly string[])[] | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly timeoutMs?: number | undefined;
  /** A container that may still run. */
  readonly container?: string | undefined;
}

/** The folder of one workspace: `work` is the agent's, `home` its home. */
export interface WorkspaceEntry {
  readonly folder: string;
  /** Replaces the note. */
  note(note: Omit<WorkspaceNote, 'owner'>): void;
  /** Deletes everything of it. */
  remove(): void;
}

/** A folder for a workspace. Its note is written first and deleted last, so that a kill leaves nothing that nobody knows. */
export function createEntry(note: Omit<WorkspaceNote, 'owner'> = {}): WorkspaceEntry {
  const store = storeFolder();
  openStore(store);
  return entryAt(store, `${process.pid.toString(36)}-${randomBytes(6).toString('hex')}`, note);
}

function entryAt(store: string, id: string, first: Omit<WorkspaceNote, 'owner'>): WorkspaceEntry {
  const [folder, path] = [join(store, id), join(store, `${id}.json`)];
  const write = (note: Omit<WorkspaceNote, 'owner'>): void =>
    writeWhole(path, JSON.stringify({ owner: ownIdentity(), ...note }), { mode: 0o600 });
  write(first);
  mkdirSync(folder, { mode: 0o700 });
  return {
    folder,
    note: write,
    remove() {
      removeTree(folder);
      rmSync(path, { force: true });
    },
  };
}

/** Another user of the machine must not be able to prepare it. */
function openStore(store: string): void {
  try {
    mkdirSync(store, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const stats = lstatSync(store);
  if (!stats.isDirectory() || (process.getuid !== undefined && stats.uid !== process.getuid()))
    throw new Error(`${store} belongs to another user, or is not a folder: delete it, or set TMPDIR`);
  if ((stats.mode & 0o077) !== 0) chmodSync(store, 0o700);
}

/** Deletes a tree of ours, even if an agent took its own rights to a folder away, or made paths too long to name. Links are not followed. */
export function removeTree(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    openFolders(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes a folder of what is not one: an agent may have deleted it, or replaced it by a link that leads anywhere. Whether it had to. */
export function ensureFolder(folder: string): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return false;
  removeTree(folder);
  mkdirSync(folder, { recursive: true });
  return true;
}

/** Paths longer than 4,096 bytes have no name for the system: what is deep is moved up. */
const LONG_PATH = 2000;

function openFolders(root: string): void {
  let moved = 0;
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    chmodSync(folder, 0o700);
    if (Buffer.byteLength(folder) > LONG_PATH) {
      const up = join(root, `deep-${randomBytes(6).toString('hex')}-${moved++}`);
      renameSync(folder, up);
      folder = up;
    }
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
  }
}

/** How a leftover is torn down. */
export type TearDown = (note: WorkspaceNote, folder: string) => Promise<void>;

/**
 * Cleans up what killed runs left: their processes, then what their suites wanted to run at the end, then the folders. Of two
 * starts at the same time one does it.
 */
export async function sweepWorkspaces(tearDown: TearDown): Promise<void> {
  const store = storeFolder();
  const left = leftIn(store);
  if (left.length === 0) return;
  killOrphans();
  for (const id of left) {
    const [folder, path, lock] = [join(store, id), join(store, `${id}.json`), join(store, `${id}.lock`)];
    if (!takeLock(lock)) continue;
    try {
      const note = readNote(path);
      if (note === undefined || note.isKept === true || stateOf(note.owner) !== 'dead') continue;
      await tearDown(note, folder);
      removeTree(folder);
      rmSync(path, { force: true });
    } catch {
      // The next run may be able to. This one goes on.
    } finally {
      rmSync(lock, { force: true });
    }
  }
}

/** The ids of workspaces whose owner is dead. Drafts and locks of dead processes go as well. */
function leftIn(store: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(store);
  } catch {
    return [];
  }
  for (const name of names) {
    const pid = /\.json\.(\d+)\.tmp$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(store, name), { force: true });
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .filter((id) => {
      const note = readNote(join(store, `${id}.json`));
      return note !== undefined && note.isKept !== true && stateOf(note.owner) === 'dead';
    });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** A lock of a dead process is taken over. */
function takeLock(lock: string): boolean {
  const own = JSON.stringify(ownIdentity());
  for (let tries = 0; tries < 2; tries++) {
    try {
      writeFileSync(lock, own, { flag: 'wx', mode: 0o600 });
      return true;
    } catch {
      const holder = readJson<ProcessIdentity>(lock);
      if (holder !== undefined && stateOf(holder) !== 'dead') return false;
      rmSync(lock, { force: true });
    }
  }
  return false;
}

function readNote(path: string): WorkspaceNote | undefined {
  const note = readJson<WorkspaceNote>(path);
  return note?.owner === undefined ? undefined : note;
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
