import type { Finding } from '../../base/model/finding.ts';
import type { AttemptRecord } from '../../base/model/record.ts';

/** What is on the queue, and in which format. A worker with another protocol or version does not join. */
export const PROTOCOL = 5;

/** A run that looks for workers: one job in `runs`, rewritten with each beat. */
export interface RunOffer {
  readonly protocol: number;
  readonly version: string;
  readonly run_id: string;
  /** The coordinator process: a resumed run has another one. */
  readonly owner: string;
  /** Where the run was started, relative to the project: workers must run in the same folder of their checkout. */
  readonly cwd: string;
  /** The commit, where it is known. */
  readonly git_revision?: string | undefined;
  /** Hashes of the config and the agent's code, by path from the project's root: workers must have the same files. */
  readonly code: Readonly<Record<string, string>>;
  readonly agent?: string | undefined;
  /** Each agent of the run, by a suite and a target that use it: a worker joins when it has created them. */
  readonly agents: readonly AgentReference[];
  readonly settings: RunSettings;
  /** How long a worker may be silent before its attempts go to others. */
  readonly lost_after_ms: number;
  /** Counts up: a run whose beat stands still has no coordinator. */
  readonly beat: number;
  readonly beat_at: string;
}

interface AgentReference {
  readonly file: string;
  /** As in results. */
  readonly target: string | undefined;
}

export interface RunSettings {
  /** Absent: nobody chose one. */
  readonly threshold?: number | undefined;
  readonly strict?: boolean | undefined;
  readonly timeout_ms: number;
  /** `--retry`; absent: as the target says. */
  readonly retries?: number | undefined;
  readonly use_cache: boolean;
  /** Model calls are answered from the cassettes of the worker's checkout. */
  readonly cassettes?: { readonly timing: boolean } | undefined;
}

/** Some attempts, by reference: a worker reads their content from its own checkout. */
export interface Batch {
  /** The files of these attempts, with the hashes they must have. */
  readonly files: Readonly<Record<string, string>>;
  readonly attempts: readonly AttemptReference[];
  /** Nothing else may run beside it: workers were lost while running it. */
  readonly alone: boolean;
}

export interface AttemptReference {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly test: string;
  /** The name of its target in results. */
  readonly target: string;
  readonly repeat: number;
  readonly fingerprint: string;
}

/** The result of a batch. An attempt that is missing here did not run, and is dispatched again. */
export interface BatchResult {
  readonly finished: readonly { readonly record: AttemptRecord; readonly findings: readonly Finding[] }[];
  /** How long it took to run them. */
  readonly duration_ms: number;
}

/** A worker, as its runs see it: one job in the run's `workers`, rewritten with each beat. */
export interface Member {
  readonly id: string;
  readonly version: string;
  /** How many attempts it runs at once, and how many it is running now. */
  readonly slots: number;
  readonly busy: number;
  /** Why it does not join. */
  readonly refused?: string | undefined;
  readonly beat: number;
}

export const RUNS_QUEUE = 'runs';

/** The queues of a run. */
export function queueNames(run_id: string): { readonly work: string; readonly members: string } {
  return { work: `work-${run_id}`, members: `workers-${run_id}` };
}

/** Undefined: not the queue of a run. */
export function runOfQueue(name: string): string | undefined {
  return /^(?:work|workers)-(.+)$/s.exec(name)?.[1];
}

export const BEAT_MS = 1000;
