import { readlinkSync } from 'node:fs';
import { isInside } from '../../base/files/is-inside.ts';
import { startTimer } from '../../base/system/system-time.ts';
import { processIds, readEnvironment, readProcess, readProcesses } from '../processes/process-table.ts';

/** In the environment of everything that is started in a workspace. */
export const MARK = 'ASSAY_WORKSPACE';

const ROUNDS = 100;

/** A program that stays over the steps of a test. */
export interface KeptProgram {
  readonly id: number;
  readonly hasExited: boolean;
}

/**
 * Kills what was started in a workspace and left its process group: by its mark, or because it works in the folder. A program that is
 * kept stays, with what it started.
 */
export async function endProcesses(
  id: string | undefined,
  folder: string,
  kept?: KeptProgram,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const family = familyOf(kept);
    const left = processIds().filter(
      (each) => each !== process.pid && !family.has(each) && isOf(each, id, folder),
    );
    if (left.length === 0) return;
    for (const each of left) signal(each, 'SIGKILL');
    await new Promise<void>((resolve) => startTimer(resolve, Math.min(1 + round, 20)));
  }
  throw new Error('processes that the agent started do not end');
}

/** Stops a program and what it started, or lets them go on. */
export function pause(kept: KeptProgram | undefined, name: 'SIGSTOP' | 'SIGCONT'): void {
  // What was started while the others were stopped is seen in the second round.
  for (let round = 0; round < 2; round++) for (const each of familyOf(kept)) signal(each, name);
}

function familyOf(kept: KeptProgram | undefined): ReadonlySet<number> {
  if (kept === undefined || kept.hasExited) return new Set();
  const family = new Set([kept.id]);
  const processes = readProcesses();
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const { id, parent } of processes) if (family.has(parent)) family.add(id);
  }
  return family;
}

function signal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name);
  } catch {
    // It has just ended.
  }
}

function isOf(process: number, id: string | undefined, folder: string): boolean {
  if (id !== undefined && readEnvironment(process).includes(`${MARK}=${id}`))
    return readProcess(process)?.isDead === false;
  try {
    if (!isInside(readlinkSync(`/proc/${process}/cwd`).replace(/ \(deleted\)$/, ''), folder)) return false;
    const entry = readProcess(process);
    return entry?.isDead === false && !isHost(entry.parent);
  } catch {
    return false;
  }
}

/** A process of ours in which agents run: one that changed its folder serves others too. To the first process of a container, everything can be a child. */
function isHost(parent: number): boolean {
  return parent === process.pid && process.pid !== 1;
}
