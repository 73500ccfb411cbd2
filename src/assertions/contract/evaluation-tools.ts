import type { Assertion } from '../../model/assertion.ts';
import type { AssertionOutcome } from '../../model/evidence.ts';
import type { JsonObject } from '../../model/json.ts';
import type { SchemaCheck } from '../../model/schema-check.ts';
import type { JudgeNames, JudgeQuestion, JudgeReply, JudgeRequest, JudgeText } from './judge.ts';
import type { ScriptRequest, ScriptResult } from './script.ts';

/** What evaluators may use of the world outside: they themselves read no file, start no program and ask no model. */
export interface EvaluationTools {
  readonly signal: AbortSignal;
  /** The text of a file named by a suite, found from the suite's folder upward and inside the project only. */
  readFile(path: string): Promise<string>;
  /** Where a file named by a suite is: as `readFile` finds it, else beside the suite. */
  findFile(path: string): NamedFile;
  /** Checks JSON against a JSON Schema of a suite. Rejects when the schema is not valid, or asks for too much. */
  checkSchema(schema: JsonObject, json: string): Promise<SchemaCheck>;
  /** Runs a program named by a suite, if that is allowed. Rejects when it cannot be started or takes too long. */
  runScript(script: ScriptRequest): Promise<ScriptResult>;
  /** Asks a model, and again while its answer cannot be used. Rejects when there is none, or no answer; `spent` of the error says what that cost. */
  assess(request: JudgeRequest): Promise<JudgeReply>;
  /** Asks a judge model for a text, for a script that judges. Rejects when there is none, or no answer. */
  ask(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeText>;
  /** The judge that is asked when nobody names one, and all that can be named. */
  judgeNames(): Promise<JudgeNames>;
  /** Evaluates assertions on the same evidence, not yet negated: for an evaluator that is made of others. */
  evaluateAll(
    assertions: readonly Assertion[],
  ): Promise<readonly { readonly assertion: Assertion; readonly outcome: AssertionOutcome }[]>;
}

export interface NamedFile {
  /** Absolute. */
  readonly path: string;
  /** From the root of the project. */
  readonly inProject: string;
}
