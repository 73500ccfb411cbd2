import { readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../base/files/write-whole.ts';
import { isJsonObject, type Json } from '../../base/model/json.ts';
import type { LiveState } from '../../base/model/page-data.ts';
import { ownIdentity, stateOf, type ProcessIdentity } from '../../agents/processes/process-identity.ts';
import { epochMs, startInterval, stopTimer, timestamp } from '../../base/system/system-time.ts';

const NAME = 'live.json';
const WRITE_MS = 500;
const HEARTBEAT_MS = 5000;
/** A writer on another machine that was silent for this long counts as dead. */
const SILENCE_MS = 30_000;
/** The most that are shown, since people read them. */
const MAX_RUNNING = 200;

type Running = LiveState['running'][number];
type Begun = Pick<Running, 'id' | 'test'> & { readonly startedAt: number };

/** What is happening in a run, for other processes: `live.json` exists only while the run is in progress. */
export class LiveFile {
  private readonly path: string;
  private readonly writer = ownIdentity();
  private readonly running = new Map<string, Begun>();
  private readonly timer: NodeJS.Timeout;
  private planned: number | undefined;
  private plannedAt: number | undefined;
  private endedCount = 0;
  private isStale = true;
  private writtenAt = 0;

  constructor(runDirectory: string) {
    this.path = join(runDirectory, NAME);
    this.timer = startInterval(() => this.refresh(), WRITE_MS).unref();
    this.refresh();
  }

  /** How many attempts each file will have, if known. */
  plan(attempts: ReadonlyMap<string, number> | undefined): void {
    this.plannedAt ??= epochMs();
    this.planned =
      attempts === undefined ? undefined : [...attempts.values()].reduce((sum, count) => sum + count, 0);
    this.change();
  }

  began({ id, test }: Pick<Running, 'id' | 'test'>): void {
    this.running.set(id, { id, test, startedAt: epochMs() });
    this.change();
  }

  ended(id: string): void {
    this.running.delete(id);
    this.endedCount++;
    this.change();
  }

  remove(): void {
    stopTimer(this.timer);
    try {
      rmSync(this.path, { force: true });
    } catch {
      // Its writer will be dead soon, and that is noticed.
    }
  }

  /** Written at once, unless it was written a moment ago. */
  private change(): void {
    this.isStale = true;
    if (epochMs() - this.writtenAt >= WRITE_MS) this.refresh();
  }

  private refresh(): void {
    try {
      if (this.isStale) this.write();
      else if (epochMs() - this.writtenAt >= HEARTBEAT_MS) this.beat();
    } catch {
      // No run ends because it cannot be looked at.
    }
  }

  private write(): void {
    const running = [...this.running.values()].slice(0, MAX_RUNNING).map(toRunning);
    const state = JSON.stringify({ writer: this.writer, planned: this.planned, running, pace: this.pace() });
    writeWhole(this.path, state, { mode: 0o600 });
    this.isStale = false;
    this.writtenAt = epochMs();
  }

  /** By the clock of this process: that of the reader may differ. */
  private pace(): LiveState['pace'] {
    if (this.plannedAt === undefined || this.endedCount === 0) return undefined;
    return { ended: this.endedCount, elapsed_ms: Math.max(0, epochMs() - this.plannedAt) };
  }

  private beat(): void {
    const now = epochMs();
    utimesSync(this.path, now / 1000, now / 1000);
    this.writtenAt = now;
  }
}

/** The last state that the writer of a run reported; undefined if there is none, or if the writer is dead. */
export function readLive(runDirectory: string): LiveState | undefined {
  const path = join(runDirectory, NAME);
  try {
    const live = JSON.parse(readFileSync(path, 'utf8')) as Json;
    if (!isJsonObject(live) || !isJsonObject(live['writer'])) return undefined;
    const state = stateOf(live['writer'] as unknown as ProcessIdentity);
    const isAlive = state === 'unknown' ? epochMs() - statSync(path).mtimeMs < SILENCE_MS : state === 'alive';
    return isAlive ? toLiveState(live as unknown as LiveState) : undefined;
  } catch {
    return undefined;
  }
}

function toRunning({ id, test, startedAt }: Begun): Running {
  return { id, test, started_at: timestamp(startedAt) };
}

function toLiveState({ planned, running, pace }: LiveState): LiveState {
  return { planned, running: Array.isArray(running) ? running : [], pace };
}
