import { readdirSync, readFileSync } from 'node:fs';

/**
 * Whether anybody in a process group still runs. To `kill` the dead are members until somebody has waited for them,
 * and the first process of many a container never does; only Linux tells them apart.
 */
export function hasLivingMember(groupId: number): boolean {
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((entry) => /^\d+$/.test(entry) && isLivingMember(entry, groupId));
}

function isLivingMember(processId: string, groupId: number): boolean {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'latin1');
    // The name, in parentheses, may hold anything.
    const [state = '', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3);
    return Number(group) === groupId && !'ZX'.includes(state);
  } catch {
    return false;
  }
}
