import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { readProcesses, type ProcessEntry } from '../../agents/processes/process-table.ts';
import { monotonicMs, startInterval } from '../../base/system/system-time.ts';
import { BEATS, HOOK, OLDEST, type WatchdogData } from './watchdog.ts';

/*
 * The thread behind Watchdog. It acts when the other thread has done nothing for a second and its oldest attempt is
 * overdue. It counts its own rounds, not the clock, and only those that come in time: a process that was stopped, or that waits for
 * a processor on a busy machine, is not blocked.
 */
const ROUND_MS = 250;
const IN_TIME_MS = 1.4 * ROUND_MS;
const ROUNDS_OF_SILENCE = 4;
/** A thread that is inside of a program's or the system's code cannot be interrupted for so long. */
const ROUNDS_OF_PATIENCE = 4;

const { shared, timeoutMs } = workerData as WatchdogData;
const beats = new Int32Array(shared);
let lastBeat = -1;
let oldest = 0;
let oldestSince = 0;
let silence = 0;
let lastRound = monotonicMs();
let interrupting: Session | undefined;
let patience = 0;

startInterval(() => {
  const beat = Atomics.load(beats, BEATS);
  const number = Atomics.load(beats, OLDEST);
  const now = monotonicMs();
  if (beat !== lastBeat) silence = 0;
  else if (now - lastRound < IN_TIME_MS) silence++;
  lastRound = now;
  if (number !== oldest) oldestSince = now;
  lastBeat = beat;
  oldest = number;
  if (silence === 0) letGo();
  if (silence < ROUNDS_OF_SILENCE || oldest === 0 || now - oldestSince < timeoutMs) return;
  if (interrupting === undefined) interrupt();
  else if (--patience === 0) endHard();
}, ROUND_MS);

/** The hook runs on the other thread, in the middle of what blocks it. */
function interrupt(): void {
  interrupting = new Session();
  patience = ROUNDS_OF_PATIENCE;
  interrupting.connectToMainThread();
  interrupting.post('Runtime.evaluate', { expression: `globalThis[Symbol.for('${HOOK}')]?.()` }, letGo);
  // A program that it waits for is not interrupted, and must end first. The run ends with all of them anyway.
  killBelow(process.pid, readProcesses());
}

function killBelow(id: number, all: readonly ProcessEntry[]): void {
  for (const child of all) {
    if (child.parent !== id) continue;
    kill(child.id);
    killBelow(child.id, all);
  }
}

function letGo(): void {
  interrupting?.disconnect();
  interrupting = undefined;
}

/** Code of the system cannot be interrupted. The records that were written stay. */
function endHard(): void {
  writeSync(
    2,
    'assay: the agent blocks this process and cannot be interrupted, so the process is killed\n  hint: `assay run --resume` continues the run\n',
  );
  kill(process.pid);
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
