import type { JsonObject } from '../../base/model/json.ts';
import type { JsonSchema } from '../../base/model/described.ts';
import type { SchemaProblem } from '../../base/schema/reader.ts';

/** An evaluator that users wrote, loaded from its file. */
export interface LoadedEvaluator {
  readonly name: string;
  readonly doc?: string | undefined;
  /** Its own fields, for editors. Undefined: it has no schema, or one that is code. */
  readonly jsonSchema?: JsonSchema | undefined;
  /** Whether it has a schema: without one it takes any fields. */
  readonly hasSchema: boolean;
  /** What is wrong with its own fields. */
  check(fields: JsonObject): readonly SchemaProblem[];
  /** Replies for these fields that show what it wants and what it refuses. Undefined if it says nothing. */
  example(fields: JsonObject): EvaluatorExample | undefined;
  /** What it returned for fields that were checked. Throws or rejects if it does, or if it takes too long. */
  evaluate(fields: JsonObject, evidence: EvaluatorEvidence, signal: AbortSignal): unknown;
}

export interface EvaluatorExample {
  readonly pass: ExampleReply;
  readonly fail: ExampleReply;
}

/** An output, or an output and tool calls. */
export type ExampleReply =
  | string
  | { readonly output?: string | undefined; readonly tool_calls?: readonly ExampleCall[] | undefined };

interface ExampleCall {
  readonly tool: string;
  readonly input?: JsonObject | undefined;
}

/** What a custom evaluator gets. Frozen: all evaluators of a test share it. */
export type EvaluatorEvidence = JsonObject;
