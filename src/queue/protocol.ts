import type { Finding } from '../model/finding.ts';
import type { AttemptRecord } from '../model/record.ts';

/** What is on the queue, and in which words. A worker of another protocol or version takes no part. */
export const PROTOCOL = 2;

/** A run that looks for workers: one job in `runs`, written anew with each beat. */
export interface RunOffer {
  readonly protocol: number;
  readonly version: string;
  readonly run_id: string;
  /** The process that follows the run: a resumed run has another one. */
  readonly owner: string;
  /** Where it was started, relative to the project: workers must stand in the same folder of theirs. */
  readonly cwd: string;
  /** The commit it is of, where that is known. */
  readonly git_revision?: string | undefined;
  /** The config and the agent's code, as hashes by paths from the project's root: workers must have the same. */
  readonly code: Readonly<Record<string, string>>;
  readonly agent?: string | undefined;
  readonly target?: string | undefined;
  readonly settings: RunSettings;
  /** How long a worker may be silent before its attempts are given to others. */
  readonly lost_after_ms: number;
  /** Counts up: a run whose beat stands still has nobody who follows it. */
  readonly beat: number;
  readonly beat_at: string;
}

export interface RunSettings {
  readonly threshold: number;
  readonly strict?: boolean | undefined;
  readonly timeout_ms: number;
  /** `--retry`; absent: as the target says. */
  readonly retries?: number | undefined;
  readonly use_cache: boolean;
}

/** Some attempts, by reference: what they are, a worker reads from its own checkout. */
export interface Batch {
  /** The files of these attempts, with the hashes they must have. */
  readonly files: Readonly<Record<string, string>>;
  readonly attempts: readonly AttemptReference[];
  /** Nothing else may run beside it: workers were lost while making it. */
  readonly alone: boolean;
}

export interface AttemptReference {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly test: string;
  readonly repeat: number;
  readonly fingerprint: string;
}

/** What came of a batch. An attempt that is not in it was not made, and is given out again. */
export interface BatchResult {
  readonly finished: readonly { readonly record: AttemptRecord; readonly findings: readonly Finding[] }[];
  /** How long making them took. */
  readonly duration_ms: number;
}

/** A worker, as the runs it works for see it: one job in the run's `workers`, written anew with each beat. */
export interface Member {
  readonly id: string;
  readonly version: string;
  /** How many attempts it makes at once, and how many it is making now. */
  readonly slots: number;
  readonly busy: number;
  /** Why it takes no part. */
  readonly refused?: string | undefined;
  readonly beat: number;
}

export const RUNS_QUEUE = 'runs';

/** The queues of a run. */
export function queueNames(run_id: string): { readonly work: string; readonly members: string } {
  return { work: `work-${run_id}`, members: `workers-${run_id}` };
}

/** Undefined: not a queue of a run. */
export function runOfQueue(name: string): string | undefined {
  return /^(?:work|workers)-(.+)$/s.exec(name)?.[1];
}

export const BEAT_MS = 1000;
