import type { EvaluatorExample } from '../contract/custom-evaluator.ts';
import type { Json } from '../../base/model/json.ts';
import type { Message } from '../../base/model/message.ts';
import type { RecordedToolCall, TokenUsage } from '../../base/model/reply.ts';
import type { FromJsonSchema } from './from-json-schema.ts';

/** What an evaluator learns about a reply. It is frozen: evaluators share it. Null means that something is unknown. */
export interface EvaluatorEvidence {
  readonly test: {
    readonly id: string;
    readonly file: string;
    readonly description: string | null;
    readonly tags: readonly string[];
    readonly metadata: Readonly<Record<string, Json>>;
  };
  /** The user's message; several messages appear as a conversation. */
  readonly question: string;
  readonly expected_outcome: string;
  /** The text of the last expected message. */
  readonly reference_answer: string;
  /** The agent's answer: its last message, else its output. */
  readonly candidate_answer: string;
  /** The agent's output. */
  readonly output: string;
  readonly input_messages: readonly Message[];
  readonly expected_messages: readonly Message[];
  readonly output_messages: readonly Message[] | null;
  /** Absolute paths. */
  readonly input_files: readonly string[];
  readonly guideline_files: readonly string[];
  /** Every call that was reported or observed. */
  readonly tool_calls: readonly RecordedToolCall[] | null;
  /** The names of the tools, in order. */
  readonly tools_used: readonly string[] | null;
  readonly memory_before: Readonly<Record<string, Json>>;
  /** The memory after the reply. */
  readonly memory: Readonly<Record<string, Json>>;
  readonly trace_summary: Readonly<Record<string, Json>> | null;
  readonly token_usage: TokenUsage | null;
  readonly cost_usd: number | null;
  readonly duration_ms: number | null;
  readonly time_to_first_token_ms: number | null;
  readonly model_calls: number | null;
  readonly models: readonly string[] | null;
}

export interface EvaluatorTools {
  /** Aborts when the evaluator takes too long, or the run is stopped. */
  readonly signal: AbortSignal;
}

/** A score from 0 to 1, true for 1, false for 0, or a score with an explanation. */
export type EvaluatorResult =
  | number
  | boolean
  | {
      readonly score: number;
      readonly hits?: readonly string[] | undefined;
      readonly misses?: readonly string[] | undefined;
      readonly reasoning?: string | undefined;
      readonly details?: unknown;
    };

/** The part of the Standard Schema interface that is used: zod, valibot and arktype have it. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly output: Output } | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The fields of an evaluator, from its schema. Without one they are unknown. */
type EvaluatorConfig<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer Output }
    ? Output
    : unknown
  : S extends { readonly properties: object }
    ? FromJsonSchema<S>
    : Readonly<Record<string, unknown>>;

export interface EvaluatorDefinition<S = unknown> {
  /** How suites call it: `type: name`. Default: the name of its export. */
  readonly name?: string;
  /** One sentence about it. */
  readonly doc?: string;
  /** Its own fields: a JSON Schema, or a Standard Schema such as one of zod. Default: any fields. */
  readonly schema?: S;
  /** How long it may take. Default: 60000. */
  readonly timeout_ms?: number;
  /** A reply that gets a high score and one that gets a low one, for `assay check`. */
  readonly example?: EvaluatorExample | ((config: EvaluatorConfig<S>) => EvaluatorExample);
  evaluate(
    config: EvaluatorConfig<S>,
    evidence: EvaluatorEvidence,
    tools: EvaluatorTools,
  ): EvaluatorResult | Promise<EvaluatorResult>;
}

/** Gives an evaluator its types: `export const polite = defineEvaluator({ name: 'polite', evaluate: ... })`. */
export function defineEvaluator<const S = unknown>(
  definition: EvaluatorDefinition<S>,
): EvaluatorDefinition<S> {
  return definition;
}
