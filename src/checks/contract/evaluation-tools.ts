import type { Assertion } from '../../base/model/assertion.ts';
import type { ExplainedOutcome } from '../../base/model/evidence.ts';
import type { JsonObject } from '../../base/model/json.ts';
import type { SchemaCheck } from '../../base/model/schema-check.ts';
import type { LoadedEvaluator } from './custom-evaluator.ts';
import type { JudgeNames, JudgeQuestion, JudgeReply, JudgeRequest, JudgeText } from './judge.ts';
import type { ScriptRequest, ScriptResult } from './script.ts';
import type { WorkspaceView } from './workspace-view.ts';

/** What evaluators may use of the outside world: they themselves read no file, start no program and call no model. */
export interface EvaluationTools {
  readonly signal: AbortSignal;
  /** The folder that the agent could change. Undefined: there is none, as in recorded results. */
  readonly workspace?: WorkspaceView | undefined;
  /** Whether programs that this suite names may run. Undefined: they may not. */
  readonly mayRunPrograms?: (() => Promise<boolean>) | undefined;
  /** The text of a file that a suite names, looked for from the suite's folder upward and only inside the project. */
  readFile(path: string): Promise<string>;
  /** The path of a file that a suite names: as `readFile` finds it, else beside the suite. */
  findFile(path: string): NamedFile;
  /** Checks JSON against a JSON Schema of a suite. Rejects if the schema is not valid, or takes too long. */
  checkSchema(schema: JsonObject, json: string): Promise<SchemaCheck>;
  /** Runs a program that a suite names, if that is allowed. Rejects if it cannot be started or takes too long. */
  runScript(script: ScriptRequest): Promise<ScriptResult>;
  /** Loads an evaluator of a file that a suite names, if that is allowed. Rejects if it cannot be loaded. */
  loadEvaluator(reference: string): Promise<LoadedEvaluator>;
  /**
   * Calls a model, and again while its reply cannot be used. Rejects if there is no judge, or no usable reply;
   * `spent` of the error is the cost.
   */
  assess(request: JudgeRequest): Promise<JudgeReply>;
  /** Calls a judge model for a text, for a script that judges. Rejects if there is no judge, or no reply. */
  ask(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeText>;
  /** The default judge, and all names of judges. */
  judgeNames(): Promise<JudgeNames>;
  /** Evaluates assertions on the same evidence, not yet negated: for an evaluator made of others. */
  evaluateAll(
    assertions: readonly Assertion[],
  ): Promise<readonly { readonly assertion: Assertion; readonly outcome: ExplainedOutcome }[]>;
}

export interface NamedFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the root of the project. */
  readonly inProject: string;
}
