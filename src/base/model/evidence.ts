import type { Finding } from './finding.ts';
import type { Json, JsonObject } from './json.ts';
import type { Message } from './message.ts';
import type { RecordedError } from './record.ts';
import type { Reply } from './reply.ts';
import type { Test } from './test.ts';

/**
 * What assertions may read: of one step, or of a whole test with several steps. For a whole test, `reply` is all
 * replies as one: the last output, every tool call and message, and the sums of usage and time.
 */
export interface Evidence {
  readonly test: Test;
  /** The default score to pass: the test's own, or that of the run. */
  readonly threshold: number;
  /** The suite file; paths in assertions are relative to its folder. */
  readonly file: string;
  readonly input_messages: readonly Message[];
  readonly expected_messages: readonly Message[];
  readonly reply: Reply;
  readonly memoryBefore: JsonObject;
  /** What the agent returned; empty if it returned none. */
  readonly memoryAfter: JsonObject;
  /** As the agent reported it, else as measured. Undefined: a recording does not tell. */
  readonly durationMs?: number | undefined;
}

/** The result of one assertion: a score with its explanation, or why there is none. */
export type AssertionOutcome = MeasuredOutcome | { readonly error: RecordedError };

/** The same with a message in every case. */
export type ExplainedOutcome =
  | (MeasuredOutcome & { readonly message: string })
  | { readonly error: RecordedError };

export interface MeasuredOutcome {
  readonly score: number;
  /** Something happened that must not happen: the test fails, however high this score and those of others are. */
  readonly isVeto?: boolean | undefined;
  /** What was found, in a sentence. Without one, the expected value against the actual one says it. */
  readonly message?: string | undefined;
  readonly expected?: Json | undefined;
  readonly actual?: Json | undefined;
  /** What speaks for the score and against it, for people. */
  readonly hits?: readonly string[] | undefined;
  readonly misses?: readonly string[] | undefined;
  /** More that a report may show: an aligned diff, a judge's reply. */
  readonly details?: Json | undefined;
  /** Things the author should know although they decide nothing. */
  readonly warnings?: readonly OutcomeWarning[] | undefined;
}

export interface OutcomeWarning extends Pick<Finding, 'code' | 'message' | 'hint'> {
  /** The evidence was incomplete: with `--strict` the assertion counts as not measured. */
  readonly isAboutEvidence?: boolean | undefined;
}
