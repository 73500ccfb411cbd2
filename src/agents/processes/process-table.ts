import { readdirSync, readFileSync } from 'node:fs';

/** A process as Linux describes it. */
export interface ProcessEntry {
  readonly id: number;
  readonly parent: number;
  readonly group: number;
  /** It has ended but was not reaped: in many containers the first process never does that. */
  readonly isDead: boolean;
  /** In ticks since boot: a reused process id has another value. */
  readonly startTicks: string;
}

/** All visible processes; none where there is no /proc. */
export function readProcesses(): readonly ProcessEntry[] {
  return processIds().flatMap((id) => readProcess(id) ?? []);
}

/** Undefined if it is gone, or where there is no /proc. */
export function readProcess(id: number): ProcessEntry | undefined {
  const stat = tryRead(`/proc/${id}/stat`);
  if (stat === undefined) return undefined;
  // The name, in parentheses, may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent, group] = fields;
  return {
    id,
    parent: Number(parent),
    group: Number(group),
    isDead: 'ZX'.includes(state),
    startTicks: fields[START_TIME] ?? '',
  };
}

/** The variables a process was started with, as `NAME=value`; none if access is denied. */
export function readEnvironment(id: number): readonly string[] {
  return tryRead(`/proc/${id}/environ`)?.split('\0') ?? [];
}

/** Field 22 of proc(5), counted from the state. */
const START_TIME = 19;

/** The ids of all visible processes; none where there is no /proc. */
export function processIds(): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function tryRead(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
