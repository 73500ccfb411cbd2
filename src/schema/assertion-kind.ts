import type { Assertion } from '../model/assertion.ts';
import type { AssertionOutcome, Evidence } from '../model/evidence.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Message } from '../model/message.ts';
import type { TokenUsage } from '../model/reply.ts';
import type { SchemaCheck } from '../model/schema-check.ts';
import type { WantedReply } from '../model/wanted-reply.ts';
import type { Field, ObjectSchema } from './object.ts';
import { object } from './object.ts';
import type { CheckNeeds } from './check-needs.ts';
import type { Obstacle, PreflightTools } from './preflight.ts';
import type { Schema } from './schema.ts';
import { boolean, number, oneOf, text } from './values.ts';
import { byType } from './by-type.ts';

/** A kind of evaluator: an assertion in list form. */
export interface EvaluatorKind {
  readonly kind: string;
  readonly doc: string;
  /** Its score is 0 or 1, so that `negate` makes sense. */
  readonly isBinary: boolean;
  readonly schema: ObjectSchema<Readonly<Record<string, Field<unknown>>>>;
  evaluate(
    parameters: JsonObject,
    evidence: Evidence,
    tools: EvaluationTools,
  ): AssertionOutcome | Promise<AssertionOutcome>;
  /** What a reply must have for this to hold, to check suites with. Absent or undefined: a judge or a program decides. */
  readonly oracle?: ((parameters: JsonObject, context: OracleContext) => WantedReply | undefined) | undefined;
  /** What would keep it from being evaluated, found before the agent is called. Absent: it needs nothing but the evidence. */
  readonly preflight?:
    | ((parameters: JsonObject, tools: PreflightTools) => Promise<readonly Obstacle[]>)
    | undefined;
  /** What else it decides by. Absent: nothing but its parameters and the evidence. */
  readonly needs?: ((parameters: JsonObject) => CheckNeeds) | undefined;
  /** What makes it weaker than it looks, though it can hold and be broken. */
  readonly doubts?:
    | ((parameters: JsonObject, context: Pick<OracleContext, 'expected_messages'>) => readonly Doubt[])
    | undefined;
}

/** Why an assertion checks less than its author may think. */
export interface Doubt {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

interface OracleContext {
  readonly expected_messages: readonly Message[];
  /** The same of another assertion: for an evaluator that is made of others. */
  wantedBy(assertion: Assertion): WantedReply | undefined;
}

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

export interface ScriptRequest {
  /** A program and its arguments, or a line for `sh -c`. */
  readonly script: string | readonly string[];
  readonly stdin: string;
  readonly cwd?: string | undefined;
  readonly timeoutMs?: number | undefined;
  /** Lets the script ask the judge. */
  readonly judge?: JudgeAccess | undefined;
}

/** How a script that judges may ask a model. */
export interface JudgeAccess {
  readonly maxCalls: number;
  ask(question: JudgeQuestion, signal: AbortSignal): Promise<string>;
  names(): Promise<JudgeNames>;
  /** It asked more than it may. */
  onRefused(): void;
}

export interface JudgeQuestion {
  /** Which judge of the config; undefined for the default one. */
  readonly target?: string | undefined;
  readonly system?: string | undefined;
  readonly prompt: string;
}

export interface JudgeText extends JudgeSpending {
  readonly text: string;
}

export interface JudgeNames {
  readonly judge: string;
  readonly judges: readonly string[];
}

export interface ScriptResult {
  readonly exitCode: number | undefined;
  readonly signal?: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** A question to a judge model, answered as JSON that fits a schema. */
export interface JudgeRequest {
  /** Which judge of the config; undefined for the default one. */
  readonly target?: string | undefined;
  readonly system: string;
  readonly prompt: string;
  /** JSON Schema of the answer. */
  readonly schema: JsonObject;
  /** Tells several answers to one question apart: 0, 1, ... */
  readonly sample: number;
  /** Why an answer cannot be used although it fits the schema: a score outside of its range, a rubric left out. */
  readonly check: (answer: Json) => string | undefined;
}

export interface JudgeReply extends JudgeSpending {
  readonly answer: Json;
  readonly model: string;
  /** Kept from before: nobody was asked. */
  readonly isCached?: boolean | undefined;
}

/** Of all calls an answer took; undefined when it is not known. */
export interface JudgeSpending {
  readonly token_usage?: TokenUsage | undefined;
  readonly cost_usd?: number | undefined;
}

/** A kind of claim: an assertion in map form. */
export interface ClaimKind {
  readonly kind: string;
  readonly doc: string;
  /** How it is written: a key, or `memory.` followed by a path. */
  readonly key: string;
  /** What may stand under the key. */
  readonly schema: Schema<Json>;
  /** The parameters of the assertion, from the authored key and value. */
  parameters(key: string, value: Json): JsonObject;
  evaluate(parameters: JsonObject, evidence: Evidence): AssertionOutcome;
  /** What a reply must have for this to hold, to check suites with. */
  oracle(parameters: JsonObject): WantedReply;
}

interface ClaimDefinition
  extends Omit<ClaimKind, 'key' | 'parameters'>, Partial<Pick<ClaimKind, 'key' | 'parameters'>> {}

/** By default the key is the kind, and the value the only parameter. */
export function defineClaim({ key, parameters, ...definition }: ClaimDefinition): ClaimKind {
  return {
    ...definition,
    key: key ?? definition.kind,
    parameters: parameters ?? ((_key, value) => ({ value })),
  };
}

/** The assertions a loader knows. It is handed them, so that a new kind changes no loader. */
export interface AssertionKinds {
  /** The keys of an `assert` map. */
  readonly claims: readonly ClaimKind[];
  /** The strict block `expected`. */
  readonly expected: ClaimKind;
  readonly evaluators: readonly EvaluatorKind[];
  readonly evaluatorList: Schema<readonly Assertion[]>;
  /** What a case's `rubrics` become. */
  readonly rubric: EvaluatorKind;
}

interface EvaluatorDefinition<F> {
  readonly kind: string;
  readonly doc: string;
  readonly isBinary?: boolean;
  readonly fields: F;
  readonly evaluate?: EvaluatorKind['evaluate'];
  readonly oracle?: EvaluatorKind['oracle'];
  readonly preflight?: EvaluatorKind['preflight'];
  readonly needs?: EvaluatorKind['needs'];
  readonly doubts?: EvaluatorKind['doubts'];
  /** Keys without a meaning of their own are handed on under `config`. */
  readonly hasConfig?: boolean;
}

export function defineEvaluator<const F extends Readonly<Record<string, Field<unknown>>>>({
  kind,
  doc,
  isBinary = false,
  fields,
  evaluate = notYet(kind),
  oracle,
  preflight,
  needs,
  doubts,
  hasConfig = false,
}: EvaluatorDefinition<F>): EvaluatorKind {
  const schema = object(
    {
      type: { schema: oneOf([kind]), doc: 'The kind of evaluator.', missing: 'missing_type' },
      ...COMMON_FIELDS,
      ...fields,
    },
    { what: `the evaluator \`${kind}\``, unknown: hasConfig ? 'config' : 'error' },
  );
  return { kind, doc, isBinary, schema, evaluate, oracle, preflight, needs, doubts };
}

function notYet(kind: string): EvaluatorKind['evaluate'] {
  return () => ({
    error: { kind: 'assertion', message: `the evaluator \`${kind}\` cannot be evaluated yet` },
  });
}

/** The fields every evaluator has besides its own. */
export const COMMON_FIELDS = {
  name: { schema: text({ nonEmpty: true }), doc: 'Its name in results. Default: the type.' },
  weight: {
    schema: number({ min: 0 }),
    doc: 'Its weight in the mean. With 0 it is shown, but decides nothing. Default: 1.',
  },
  required: {
    schema: byType({ boolean: boolean(), number: number({ min: 0, max: 1 }) }),
    doc: 'The test fails when the score is below the threshold (`true`) or below this number.',
  },
  negate: { schema: boolean(), doc: 'Inverts a score of 0 or 1.' },
} as const satisfies Readonly<Record<string, Field<unknown>>>;
