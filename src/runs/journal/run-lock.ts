import { randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ownIdentity, stateOf, type ProcessIdentity } from '../../agents/processes/process-identity.ts';
import { killMarked, ownMark } from '../../agents/processes/strays.ts';
import { epochMs, timestamp } from '../../base/system/system-time.ts';

/** Who writes to a run: the content of its lock. */
export interface LockOwner extends ProcessIdentity {
  /** Unique to this lock. */
  readonly token: string;
  readonly locked_at: string;
  /** The mark of the programs it started. */
  readonly mark: string;
}

/** Another process writes to the run. */
export class RunLockedError extends Error {
  readonly hint: string;

  constructor(path: string, owner: LockOwner | undefined) {
    const runId = basename(dirname(path));
    const who =
      owner === undefined
        ? 'an unknown process (its lock cannot be read)'
        : `process ${owner.pid} on ${owner.host}, since ${owner.locked_at}`;
    super(`the run ${runId} is locked by ${who}`);
    this.name = 'RunLockedError';
    this.hint =
      owner !== undefined && stateOf(owner) === 'alive'
        ? `wait until it ends, or stop it with \`kill ${owner.pid}\`, then resume again; without --resume a new run starts`
        : `Assay cannot see whether that process still runs; if it does not, delete ${path} and resume again`;
  }
}

/**
 * Allows one writer per run. The lock is created with its content in one step (a link), and outlives a killed
 * owner. To take it over, a process first claims it under a name made from the dead owner's token; only one process
 * can.
 */
export class RunLock {
  private readonly path: string;
  private readonly token: string;

  /** Throws a RunLockedError if another process has it. */
  static acquire(folder: string): RunLock {
    const path = join(folder, LOCK_NAME);
    const owner = describeOwner();
    const draft = join(folder, `draft-${owner.token}`);
    writeFileSync(draft, `${JSON.stringify(owner)}\n`, { mode: 0o600, flag: 'wx', flush: true });
    try {
      while (!tryLink(draft, path) && !takeOver(path, draft));
    } finally {
      rmSync(draft, { force: true });
    }
    return new RunLock(path, owner.token);
  }

  private constructor(path: string, token: string) {
    this.path = path;
    this.token = token;
  }

  release(): void {
    if (readOwner(this.path)?.token === this.token) rmSync(this.path, { force: true });
  }
}

const LOCK_NAME = 'lock';

/**
 * Whether every process that locked the folder, or tried to, is dead. False if none did. A process that never wrote
 * its name counts as dead after a while.
 */
export function isAbandoned(folder: string, patienceMs: number): boolean {
  const tried = readdirSync(folder)
    .filter((name) => name === LOCK_NAME || CLAIM.test(name) || DRAFT.test(name))
    .map((name) => join(folder, name));
  return tried.length > 0 && tried.every((path) => isDead(readOwner(path)) || isNameless(path, patienceMs));
}

function isNameless(path: string, patienceMs: number): boolean {
  return readOwner(path) === undefined && epochMs() - statSync(path).mtimeMs > patienceMs;
}

function describeOwner(): LockOwner {
  const token = randomBytes(12).toString('hex');
  return { ...ownIdentity(), token, locked_at: timestamp(), mark: ownMark() };
}

/** False if the lock changed meanwhile and must be checked again. */
function takeOver(path: string, draft: string): boolean {
  for (let current = path; ;) {
    const owner = readOwner(current);
    if (owner === undefined && !existsSync(current)) return false;
    if (owner === undefined || stateOf(owner) !== 'dead') throw new RunLockedError(path, owner);
    const claim = claimOn(path, owner);
    if (tryLink(draft, claim)) return moveIn(path, claim, owner);
    // Another process has claimed it before. If that process died on its way, its claim can be taken over in turn.
    current = claim;
  }
}

function moveIn(path: string, claim: string, dead: LockOwner): boolean {
  if (!leadsTo(path, claim)) {
    // The lock was taken over between our check and our claim: we claimed a lock that is gone.
    rmSync(claim, { force: true });
    return false;
  }
  renameSync(claim, path);
  removeClaims(dirname(path));
  // Its programs would run on beside the attempts that are done again.
  if (MARK.test(dead.mark)) killMarked(dead.mark);
  return true;
}

/** The claims of processes that died on their way to the lock. */
function removeClaims(folder: string): void {
  for (const name of readdirSync(folder)) if (CLAIM.test(name)) rmSync(join(folder, name), { force: true });
}

/** What processes left that died on their way to a lock. */
export function removeDeadDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (DRAFT.test(name) && isDead(readOwner(path))) rmSync(path, { force: true });
  }
}

function isDead(owner: LockOwner | undefined): boolean {
  return owner !== undefined && stateOf(owner) === 'dead';
}

/** Whether this is the last of the claims that start with the lock. */
function leadsTo(path: string, claim: string): boolean {
  for (let current = path; current !== claim;) {
    const owner = readOwner(current);
    if (owner === undefined) return false;
    current = claimOn(path, owner);
    if (!existsSync(current)) return false;
  }
  return true;
}

function claimOn(path: string, { token }: LockOwner): string {
  return `${path}.${token}`;
}

/** Undefined if it is gone, or is not one of our locks. */
function readOwner(path: string): LockOwner | undefined {
  try {
    const owner = JSON.parse(readFileSync(path, 'utf8')) as LockOwner;
    return typeof owner.pid === 'number' && TOKEN.test(owner.token) ? owner : undefined;
  } catch {
    return undefined;
  }
}

const TOKEN = /^[0-9a-f]{24}$/;
const MARK = /^[0-9a-f]{24}$/;
const CLAIM = /^lock\.[0-9a-f]{24}$/;
const DRAFT = /^draft-[0-9a-f]{24}$/;

/** Whether there was no such file before. */
function tryLink(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code !== undefined && NO_LINKS.has(code)) return tryCopy(draft, path);
    throw error;
  }
}

/**
 * Some file systems have no links. There, a process that looks at the wrong moment sees a lock without content, and
 * stays out.
 */
function tryCopy(draft: string, path: string): boolean {
  try {
    writeFileSync(path, readFileSync(draft), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
