import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process that cannot be taken for another one: numbers of processes are used again. */
export interface WriterIdentity {
  readonly host: string;
  readonly pid: number;
  /** When it began, as the system counts it; absent where that cannot be asked. */
  readonly began?: string | undefined;
}

export function thisWriter(): WriterIdentity {
  return { host: hostname(), pid: process.pid, began: beginningOf(process.pid) };
}

/** Undefined when nobody here can know: it runs, or ran, on another machine or in a container. */
export function isWriterAlive({ host, pid, began }: WriterIdentity): boolean | undefined {
  if (host !== hostname()) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Of another user: it is there.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return began === undefined || began === beginningOf(pid);
}

/** On Linux the 22nd field of its `stat`; the name before it is in parentheses and may hold anything. */
function beginningOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
