import type { Finding } from './finding.ts';
import type { Json, JsonObject } from './json.ts';
import type { Message } from './message.ts';
import type { PassAtLeast } from './pass-at-least.ts';
import type { RecordedToolCall, TokenUsage, TraceGap } from './reply.ts';

export type Verdict = 'passed' | 'failed' | 'error' | 'skipped';

/**
 * Why something could not be measured: the agent failed (`agent`), broke its contract (`contract`), took too long
 * (`timeout`), printed or returned too much (`limit`), could not be reached (`infrastructure`), or its target cannot be used
 * (`config`); a `judge` failed; an `assertion` could not be evaluated; the recorded replies are to another question (`outdated`).
 */
export type ErrorKind =
  | 'agent'
  | 'contract'
  | 'timeout'
  | 'limit'
  | 'infrastructure'
  | 'config'
  | 'judge'
  | 'assertion'
  | 'outdated';

export interface RecordedError {
  readonly kind: ErrorKind;
  readonly message: string;
}

/** Everything about one finished attempt: one line of the journal. */
export interface AttemptRecord {
  /** `file::test::target::repeat`. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly test: string;
  readonly description?: string | undefined;
  readonly tags: readonly string[];
  readonly target: string;
  readonly repeat: number;
  /** How often the test must pass, when it says so. */
  readonly pass_at_least?: PassAtLeast | undefined;
  /** Of what was tested and how: a test with another one has changed since. */
  readonly fingerprint: string;
  readonly verdict: Verdict;
  /** 0..1; absent when it could not be measured. */
  readonly score?: number | undefined;
  readonly error?: RecordedError | undefined;
  readonly skip_reason?: string | undefined;
  readonly steps: readonly StepRecord[];
  /** Judged on the whole transcript. */
  readonly assertions: readonly AssertionRecord[];
  /** Warnings that only this attempt could give. */
  readonly findings?: readonly Finding[] | undefined;
  readonly retries: number;
  readonly token_usage?: TokenUsage | undefined;
  readonly cost_usd?: number | undefined;
  /** How often judges were asked for all assertions; absent when none was. */
  readonly judge_calls?: number | undefined;
  /** Absent when one of the calls does not say. */
  readonly judge_token_usage?: TokenUsage | undefined;
  readonly judge_cost_usd?: number | undefined;
  readonly started_at: string;
  readonly duration_ms: number;
}

/** A record without what was said and checked: enough to list, count and compare. */
export type RecordOutline = Omit<AttemptRecord, 'steps' | 'assertions'>;

export interface StepRecord {
  readonly line: number;
  readonly input: string;
  readonly input_messages: readonly Message[];
  readonly output?: string | undefined;
  readonly tools_used?: readonly string[] | undefined;
  readonly tool_calls?: readonly RecordedToolCall[] | undefined;
  /** Why the tool calls are not known; absent when they are. */
  readonly trace_gap?: TraceGap | undefined;
  readonly output_messages?: readonly Message[] | undefined;
  readonly memory_before: JsonObject;
  /** Memory after the step. */
  readonly memory?: JsonObject | undefined;
  readonly assertions: readonly AssertionRecord[];
  readonly error?: RecordedError | undefined;
  /** What the agent printed beside its reply. */
  readonly printed?: string | undefined;
  readonly token_usage?: TokenUsage | undefined;
  readonly cost_usd?: number | undefined;
  readonly duration_ms: number;
}

export interface AssertionRecord {
  readonly form: 'claim' | 'evaluator';
  readonly kind: string;
  readonly name: string;
  readonly weight: number;
  /** Absent, like `passed`, when it could not be measured. */
  readonly score?: number | undefined;
  readonly passed?: boolean | undefined;
  readonly expected?: Json | undefined;
  readonly actual?: Json | undefined;
  readonly message: string;
  readonly hits?: readonly string[] | undefined;
  readonly misses?: readonly string[] | undefined;
  readonly details?: Json | undefined;
  /** Absent when no judge was asked. */
  readonly judge_calls?: number | undefined;
  readonly judge_token_usage?: TokenUsage | undefined;
  readonly judge_cost_usd?: number | undefined;
  readonly error?: RecordedError | undefined;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}
