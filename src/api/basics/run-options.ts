import type { CassetteMode } from '../../evidence/cassettes/track.ts';
import type { TargetChoice } from '../../suites/config/target-resolver.ts';
import { hideCredentials } from '../../base/match/url-credentials.ts';
import type { Comparison, RegressionRule } from '../../base/model/comparison.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { GateRules } from '../../base/model/gate.ts';
import type { JsonObject } from '../../base/model/json.ts';
import type { PlannedWork, Rerun } from '../../base/model/planned-work.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { Summary, TestSummary } from '../../base/model/summary.ts';
import type { Reporter } from '../../show/reporters/reporter.ts';
import type { Shard } from '../../run/plan/shard.ts';

interface ChangedOptions {
  /** Attempts that run although nothing changed. */
  readonly rerun?: Rerun | undefined;
  /** Only files that may be output of agents changed: those of which nobody knows what they read are not called. */
  readonly isFollowUp?: boolean | undefined;
  /** Called at the end with the files outside of the project that were used. */
  onOutside?(paths: readonly string[]): void;
  /** Whether the run may start. */
  confirm?(work: PlannedWork): Promise<boolean>;
}

export interface RunOptions extends TargetChoice {
  /** Paths, globs or parts of names; `file.yaml:12` is the test at line 12. Default: the current folder. */
  readonly paths?: readonly string[];
  readonly grep?: string | undefined;
  /** Tests that match this are left out. */
  readonly grepInvert?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Tests with one of these are left out. */
  readonly excludedTags?: readonly string[] | undefined;
  readonly workers?: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** How often each test runs, overriding the test's own setting; `auto`: until its gate is decided. */
  readonly repeats?: number | 'auto' | undefined;
  /** For `auto`: how sure a decision must be. Default: 0.95. */
  readonly confidence?: number | undefined;
  /** For `auto`: how often a test runs at most. Default: 50. */
  readonly maxRepeats?: number | undefined;
  /** Gate: the share of measured attempts that must pass. */
  readonly minPassRate?: number | undefined;
  /** Gate: how many tests may be flaky; below 1, the share of repeated tests. */
  readonly maxFlaky?: number | undefined;
  /** The share of planned attempts that must be measured for a gate to be decided. Default: 0.9. */
  readonly minCoverage?: number | undefined;
  /** No more attempts start once the run has cost this much, in USD. */
  readonly maxCost?: number | undefined;
  /** How often an attempt is retried after an infrastructure failure. Default: 2. */
  readonly retries?: number | undefined;
  readonly threshold?: number | undefined;
  /** Stop after this many tests that failed or could not be measured. */
  readonly bail?: number | undefined;
  /** Whether a target where nothing works is not called any more. Default: true. */
  readonly stopEarly?: boolean | undefined;
  /**
   * Only tests whose newest record, for this version of the test and its agent, is not a pass, and tests without
   * one.
   */
  readonly lastFailed?: boolean | undefined;
  /** Tests that did not pass when they last ran run first. */
  readonly failedFirst?: boolean | undefined;
  /** Warnings about files, replies and evidence are errors. */
  readonly strict?: boolean | undefined;
  readonly passWithNoTests?: boolean | undefined;
  /** `only` is refused: a forgotten one would hide every other test. */
  readonly ci?: boolean | undefined;
  /** Programs that suites name may run. */
  readonly allowScripts?: boolean | undefined;
  /** Record model calls in cassettes, or answer them from there. Default: as the config says, else off. */
  readonly cassettes?: CassetteMode | 'off' | undefined;
  /** Keep the recorded delays when replaying. */
  readonly cassetteTiming?: boolean | undefined;
  /** Judge replies are kept in `.assay/cache`. Default: true. */
  readonly useCache?: boolean | undefined;
  /** Continue a run of the same tests: its id, or true for the latest one of the same files. */
  readonly resume?: string | true | undefined;
  /**
   * Run what changed since the latest run with this option: tests, the files they use, and the files of agents. Where only
   * what is checked has changed, recorded replies are graded again, and no agent is called.
   */
  readonly changed?: ChangedOptions | true | undefined;
  /** Run one part of the plan; `assay merge` joins the parts. */
  readonly shard?: Shard | undefined;
  /** Split the plan by the durations of this run: its id or its folder. Default: by the ids of the attempts. */
  readonly shardBy?: string | undefined;
  /** Let workers on this queue run the attempts: its address, or the name of a variable that contains it. */
  readonly queue?: string | undefined;
  /** How long a worker may be silent before its attempts go to others. Default: 30 s. */
  readonly lostAfterMs?: number | undefined;
  /** How long to wait while there are no workers. Default: 10 minutes. */
  readonly patienceMs?: number | undefined;
  /** Tells the run from others, for people. */
  readonly name?: string | undefined;
  /** Write the run to `.assay/runs`. Default: true. */
  readonly record?: boolean | undefined;
  /** Compare with this run or baseline file at the end; a regression is exit code 1. */
  readonly baseline?: string | undefined;
  /** What counts as a regression. Default: a test that went from passed to failed. */
  readonly failOn?: RegressionRule | undefined;
  readonly reporters?: readonly Reporter[];
  readonly signal?: AbortSignal | undefined;
  /**
   * Called if code in this process blocks the thread for longer than an attempt may take, when the journal is closed. It
   * must end the process. Without it, nobody watches.
   */
  readonly onBlocked?: ((blocked: BlockedRun) => never) | undefined;
}

export interface BlockedRun {
  /** Undefined if the run is not recorded. */
  readonly run_id: string | undefined;
  /** Whose time is over. */
  readonly tests: readonly { readonly file: string; readonly line: number; readonly test: string }[];
  readonly timeoutMs: number;
}

export interface RunResult {
  readonly run_id: string;
  readonly exit_code: number;
  readonly summary: Summary;
  readonly findings: readonly Finding[];
  /** With the baseline, if one was named. */
  readonly comparison?: Comparison | undefined;
  /** The tests that are repeated or have a gate. */
  readonly tests: readonly TestSummary[];
  readonly records: readonly AttemptRecord[];
}

/** The options, without those that only this process knows. */
export function describeOptions({
  reporters: _reporters,
  signal: _signal,
  onBlocked: _onBlocked,
  ...asked
}: RunOptions & { readonly rules: GateRules; readonly only?: boolean | undefined }): JsonObject {
  const { agent, changed } = asked;
  const kept = changed === undefined ? asked : { ...asked, changed: true };
  const shown = typeof agent === 'string' ? { ...kept, agent: hideCredentials(agent) } : kept;
  return JSON.parse(JSON.stringify(shown)) as JsonObject;
}
