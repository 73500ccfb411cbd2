import { readlinkSync } from 'node:fs';
import { isInside } from '../../base/files/is-inside.ts';
import { startTimer } from '../../base/system/system-time.ts';
import { processIds, readEnvironment, readProcess } from '../processes/process-table.ts';

/** In the environment of everything that is started in a workspace. */
export const MARK = 'ASSAY_WORKSPACE';

const ROUNDS = 100;

/** Kills what was started in a workspace and left its process group: by its mark, or because it works in the folder. */
export async function endProcesses(id: string | undefined, folder: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const left = processIds().filter((each) => each !== process.pid && isOf(each, id, folder));
    if (left.length === 0) return;
    for (const each of left) {
      try {
        process.kill(each, 'SIGKILL');
      } catch {
        // It has just ended.
      }
    }
    await new Promise<void>((resolve) => startTimer(resolve, Math.min(1 + round, 20)));
  }
  throw new Error('processes that the agent started do not end');
}

function isOf(process: number, id: string | undefined, folder: string): boolean {
  if (id !== undefined && readEnvironment(process).includes(`${MARK}=${id}`))
    return readProcess(process)?.isDead === false;
  try {
    return (
      isInside(readlinkSync(`/proc/${process}/cwd`).replace(/ \(deleted\)$/, ''), folder) &&
      readProcess(process)?.isDead === false
    );
  } catch {
    return false;
  }
}
