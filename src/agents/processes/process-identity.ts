import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { readProcess } from './process-table.ts';

/** Identifies a process, even after its process id was reused. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** On Linux: the boot id, the pid namespace (a container has its own), and the start time. */
  readonly boot_id?: string | undefined;
  readonly pid_namespace?: string | undefined;
  readonly start_ticks?: string | undefined;
}

export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    host: hostname(),
    boot_id: bootId(),
    pid_namespace: pidNamespace(),
    start_ticks: readProcess(process.pid)?.startTicks,
  };
}

/** Whether a process still runs; unknown if it cannot be seen from here. */
export function stateOf(identity: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  if (identity.host !== hostname()) return 'unknown';
  if (identity.boot_id !== bootId()) return 'dead';
  if (identity.pid_namespace !== pidNamespace()) return 'unknown';
  if (!exists(identity.pid)) return 'dead';
  const seen = readProcess(identity.pid);
  if (seen === undefined) return 'alive';
  return seen.isDead || seen.startTicks !== identity.start_ticks ? 'dead' : 'alive';
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function bootId(): string | undefined {
  return tryTo(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
}

function pidNamespace(): string | undefined {
  return tryTo(() => readlinkSync('/proc/self/ns/pid'));
}

function tryTo<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
