import type { BaselineOutcome } from './baseline-outcome.ts';
import type { Comparison } from './comparison.ts';
import type { Finding } from './finding.ts';
import type { RecordLabel } from './label.ts';
import type { GateResult } from './gate.ts';
import type { JsonObject } from './json.ts';
import type { PassAtLeast } from './pass-at-least.ts';
import type { AttemptRecord, ErrorKind, Verdict } from './record.ts';
import type { Summary } from './summary.ts';
import type { TokenUsage } from './reply.ts';
import type { TestName } from './test-map.ts';

/** A share with its 95% Wilson interval. Attempts that could not be measured, or were skipped, are not in it. */
export interface Rate {
  readonly passed: number;
  readonly measured: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  /** Attempts that could not be measured. */
  readonly errored?: number | undefined;
}

/**
 * `broken_off`: no summary, and no process is writing any more. `damaged`: its files have changed, so results may
 * be missing.
 */
export type RunState = 'running' | 'ended' | 'interrupted' | 'broken_off' | 'damaged';

/** How many tests and attempts of a run got each verdict. */
export type RunCounts = Pick<
  Summary,
  'tests' | 'attempts' | 'passed' | 'failed' | 'error' | 'skipped' | 'flaky' | 'duration_ms' | 'interrupted'
> &
  Partial<Pick<Summary, 'pass_at_k' | 'pass_hat_k' | 'not_started' | 'not_graded'>>;

/** What one target did in a run. */
export interface TargetRow {
  readonly target: string;
  /** Whether it ran every test of the run, or only some of them. */
  readonly has_every_test: boolean;
  readonly summary: Omit<RunCounts, 'duration_ms' | 'interrupted'>;
  readonly pass_rate?: Rate | undefined;
  readonly cost_usd?: number | undefined;
  /** Without the cost of judges, as the terminal says: what counts when people choose a target. */
  readonly agent_cost_usd?: number | undefined;
  /** Attempts whose cost is unknown and not in the sum; absent until the run has ended. */
  readonly attempts_without_cost?: number | undefined;
  /** The mean of its attempts, as the terminal says. */
  readonly attempt_ms?: number | undefined;
  /** The mean over the attempts that reported a cost: unlike the sum, it does not depend on the repeats. */
  readonly attempt_cost_usd?: number | undefined;
  readonly latency_ms?: { readonly median: number; readonly p95: number } | undefined;
  /** The same for the target's results in other runs as `comparable` of the run. */
  readonly comparable?: string | undefined;
}

/** A run in the list of runs. */
export interface RunRow {
  readonly run_id: string;
  /** `--name`. */
  readonly name?: string | undefined;
  readonly state: RunState;
  readonly started_at: string;
  readonly files: readonly string[];
  readonly targets: readonly string[];
  /** The same numbers for each target. Empty until the records were read. */
  readonly by_target: readonly TargetRow[];
  /**
   * Equal in runs whose numbers may be compared: the same files and targets, run completely and measured well
   * enough. A run without it is comparable with none: a part of its files, one that did not end, a damaged one.
   */
  readonly comparable?: string | undefined;
  readonly git_revision?: string | undefined;
  readonly git_branch?: string | undefined;
  /** The first line of the commit's message. */
  readonly git_title?: string | undefined;
  readonly exit_code?: number | undefined;
  /** From the records so far, while the run is in progress. */
  readonly summary: RunCounts;
  readonly pass_rate?: Rate | undefined;
  /** Of agents and judges together, as the terminal says. */
  readonly cost_usd?: number | undefined;
  /** The part of it for judges; absent if there is none. */
  readonly judge_cost_usd?: number | undefined;
  /** Attempts whose cost is unknown and not in the sum; absent until the run has ended. */
  readonly attempts_without_cost?: number | undefined;
  readonly latency_ms?: { readonly median: number; readonly p95: number } | undefined;
  /** The first file or setting that is not valid, in one line; absent if all are. */
  readonly invalid?: string | undefined;
  /** How many attempts a run would have had that ended by itself, if it is known. */
  readonly planned?: number | undefined;
  /** The models' answers came from cassettes: nothing was paid for them. */
  readonly is_replayed?: boolean | undefined;
  /** The runs that this one was merged from. */
  readonly merged_from?: readonly string[] | undefined;
  /** What the run leaves out of its files, one sentence per reason. */
  readonly left_out?: readonly string[] | undefined;
  /** Once the run has ended. */
  readonly gates?: readonly GateResult[] | undefined;
  /** How the run compares with its baseline, once it has ended; absent without one. */
  readonly baselines?: readonly BaselineOutcome[] | undefined;
  /** What is damaged, for people; absent if nothing is. */
  readonly damage?: readonly string[] | undefined;
}

/** An attempt in the list of a run's results: only what lists, filters and sorting need. */
export interface ResultRow {
  /** The number of its record in the run: the page requests the whole record by it. */
  readonly index: number;
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly test: string;
  readonly description?: string | undefined;
  readonly tags: readonly string[];
  readonly target: string;
  readonly repeat: number;
  readonly verdict: Verdict;
  readonly score?: number | undefined;
  /** The first thing that went wrong, in one line. */
  readonly problem?: string | undefined;
  /** Equal for attempts that did not pass for the same reason, in the terminal too. */
  readonly cause?: string | undefined;
  /** The first lines of what the agent answered last. */
  readonly answer?: string | undefined;
  readonly token_usage?: TokenUsage | undefined;
  /** Of the agent, its retries and the judges, as far as known: a step that finished counts, even if the next one broke off. */
  readonly cost_usd?: number | undefined;
  /** The part of it for judges; absent if there is none. */
  readonly judge_cost_usd?: number | undefined;
  readonly duration_ms?: number | undefined;
  /** How often its test must pass, if the test says so. */
  readonly pass_at_least?: PassAtLeast | undefined;
  /** Its test over the repeats up to this record; absent if the test is like this attempt, its only one. */
  readonly of_test?: TestOfRow | undefined;
  /** Why it could not be measured. */
  readonly error_kind?: ErrorKind | undefined;
  /** Its evaluators, each once: of several with one name, the one with the lowest score. At most 40. */
  readonly evaluators?: readonly EvaluatorScore[] | undefined;
  /** The scalar fields of its metadata by path, `team` or `owner.name`; at most 40 of at most 200 characters. */
  readonly metadata_fields?: readonly (readonly [path: string, value: string])[] | undefined;
}

/** A test of one target over its repeats. */
interface TestOfRow {
  readonly verdict: Verdict;
  /** It passed in one attempt and failed in another. */
  readonly is_flaky: boolean;
  /** How many attempts did. */
  readonly passed: number;
  readonly failed: number;
  /** The mean of the measured ones. */
  readonly score?: number | undefined;
  /** Over all repeats, as far as it is known. */
  readonly cost_usd?: number | undefined;
  /** The mean of the repeats. */
  readonly duration_ms?: number | undefined;
}

/** An evaluator in a list: without `passed` it could not be measured. */
export interface EvaluatorScore {
  readonly name: string;
  /** Absent if it is the name. */
  readonly kind?: string | undefined;
  readonly score?: number | undefined;
  readonly passed?: boolean | undefined;
}

/** A problem in a file of a run, with the lines around it. */
export interface ShownFinding extends Finding {
  readonly source?: SourceExcerpt | undefined;
}

/** A record with the lines of its suite file around each of its places. */
export interface ResultDetail {
  readonly record: AttemptRecord;
  /** The steps, counted from 0, whose output stands in one of their messages. */
  readonly said_outputs: readonly number[];
  /** By file: the source as it is now, cut to what the record's places need. */
  readonly sources: readonly SourceExcerpt[];
  /** Only from a server on the reader's own machine: a report names no folders. */
  readonly editor?: EditorFiles | undefined;
}

/** How places in files are opened in an editor. */
export interface EditorFiles {
  /** The editor of the config: a name, a template, or `off`. */
  readonly editor: string;
  /** By file, as records name it: its absolute path. */
  readonly paths: Readonly<Record<string, string>>;
}

export interface SourceExcerpt {
  readonly file: string;
  readonly first_line: number;
  readonly lines: readonly string[];
  /** The file has changed since the run. */
  readonly has_changed: boolean;
}

/** What is happening in a run that has not ended. */
export interface LiveState {
  readonly planned?: number | undefined;
  readonly running: readonly { readonly id: string; readonly test: string; readonly started_at: string }[];
  /** How many attempts this process has ended, and in what time; without those of the run it continues. */
  readonly pace?: { readonly ended: number; readonly elapsed_ms: number } | undefined;
}

/** A test across runs. */
export interface HistoryPoint {
  readonly run_id: string;
  readonly started_at: string;
  /** The run is damaged, so repeats of the test may be missing. */
  readonly is_damaged?: boolean | undefined;
  readonly pass_rate?: Rate | undefined;
  /** Over its repeats, by the gates of that run. */
  readonly verdict: Verdict;
  readonly is_flaky: boolean;
  readonly errors: number;
  readonly score?: number | undefined;
  /** The mean of its repeats, with their judges. */
  readonly cost_usd?: number | undefined;
  readonly duration_ms?: number | undefined;
  /** Why it did not pass: the first thing that went wrong. */
  readonly problem?: string | undefined;
  readonly git_revision?: string | undefined;
  readonly git_title?: string | undefined;
}

/** A test that was flaky in one of the latest runs. */
export interface FlakyTest extends TestName {
  /** How many of the latest runs contain it, and in how many of those it was flaky. */
  readonly runs: number;
  readonly flaky_runs: number;
  readonly passed: number;
  readonly measured: number;
  readonly last_failure?: LastFailure | undefined;
}

/** The latest run in which a test did not always pass, and why. */
interface LastFailure {
  readonly run_id: string;
  readonly started_at: string;
  readonly problem?: string | undefined;
}

/** What the page may ask to be run again: numbers only, no file, agent or option. */
export type AgainRequest =
  | { readonly what: 'failures' }
  | { readonly what: 'test'; readonly index: number }
  | { readonly what: 'target'; readonly target: number };

/** The run in a report that opens from disk. Its rows and details are in compressed blocks of their own. */
export interface EmbeddedRun {
  readonly run: RunRow;
  /** The options: `run.json`. */
  readonly description?: JsonObject | undefined;
  /** What is wrong in its files. */
  readonly findings?: readonly ShownFinding[] | undefined;
  /** Of its targets. */
  readonly comparisons?: readonly Comparison[] | undefined;
  /** What people say about the results; absent if nobody said anything. */
  readonly labels?: readonly RecordLabel[] | undefined;
}
