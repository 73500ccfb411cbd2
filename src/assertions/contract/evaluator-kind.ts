import type { Assertion } from '../../model/assertion.ts';
import type { AssertionOutcome, Evidence } from '../../model/evidence.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Message } from '../../model/message.ts';
import type { WantedReply } from '../../model/wanted-reply.ts';
import { byType } from '../../schema/by-type.ts';
import { object, type Field, type ObjectSchema } from '../../schema/object.ts';
import { boolean, number, oneOf, text } from '../../schema/values.ts';
import type { CheckNeeds } from './check-needs.ts';
import type { EvaluationTools } from './evaluation-tools.ts';
import type { Obstacle, PreflightTools } from './preflight.ts';

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

interface EvaluatorDefinition<F> {
  readonly kind: string;
  readonly doc: string;
  readonly isBinary?: boolean;
  readonly fields: F;
  readonly evaluate: EvaluatorKind['evaluate'];
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
  evaluate,
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
