import { randomBytes } from 'node:crypto';
import { ownIdentity, stateOf, type ProcessIdentity } from './process-identity.ts';
import {
  processIds,
  readEnvironment,
  readProcess,
  readProcesses,
  type ProcessEntry,
} from './process-table.ts';

/**
 * Also in the environment: who started it, so that leftovers of a killed process can be told from processes in use.
 */
const OWNER_NAME = 'ASSAY_OWNER';
/** In the environment of everything our programs start: it identifies the owner of a process that left its group. */
const MARK_NAME = 'ASSAY_PROCESS';
const own = randomBytes(12).toString('hex');
let marks = 0;

/** The mark of all programs of this process. */
export function ownMark(): string {
  return own;
}

/** A mark for one program, which contains the mark of this process. */
export function createMark(): string {
  return `${own}-${++marks}.`;
}

/** The environment with the mark, beside the marks of the runs that this one is part of. */
export function markEnvironment(env: NodeJS.ProcessEnv, mark: string): NodeJS.ProcessEnv {
  const outer = env[MARK_NAME];
  owner ??= JSON.stringify(ownIdentity());
  return { ...env, [MARK_NAME]: outer === undefined ? mark : `${outer} ${mark}`, [OWNER_NAME]: owner };
}

let owner: string | undefined;

/** Processes that left these groups, found through their parents while those live. */
export function findLeavers(groups: ReadonlySet<number>): readonly ProcessEntry[] {
  const processes = readProcesses();
  const family = new Set(processes.filter(({ group }) => groups.has(group)).map(({ id }) => id));
  for (let size = -1; size !== family.size;) {
    size = family.size;
    for (const { id, parent } of processes) if (family.has(parent)) family.add(id);
  }
  return processes.filter(({ id, group }) => family.has(id) && !groups.has(group));
}

/** Kills processes that were seen before, unless their ids now belong to others. */
export function killSeen(processes: readonly ProcessEntry[]): void {
  for (const { id, startTicks } of processes) if (readProcess(id)?.startTicks === startTicks) kill(id);
}

/** Kills everything with this mark. */
export function killMarked(mark: string): void {
  for (const id of processIds()) if (isMarked(id, mark)) kill(id);
}

/** Kills what dead processes of ours started: those were killed, and could not clean up. */
export function killOrphans(): void {
  for (const id of processIds()) if (isOrphan(id)) kill(id);
}

function isOrphan(id: number): boolean {
  const prefix = `${OWNER_NAME}=`;
  const line = readEnvironment(id).find((variable) => variable.startsWith(prefix));
  if (line === undefined) return false;
  try {
    return stateOf(JSON.parse(line.slice(prefix.length)) as ProcessIdentity) === 'dead';
  } catch {
    return false;
  }
}

function isMarked(id: number, mark: string): boolean {
  return readEnvironment(id).some((line) => line.startsWith(`${MARK_NAME}=`) && line.includes(mark));
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has just ended, or belongs to somebody else.
  }
}
