import type { Assertion } from '../../model/assertion.ts';
import type { AssertionOutcome, Evidence } from '../../model/evidence.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Message } from '../../model/message.ts';
import type { WantedReply } from '../../model/wanted-reply.ts';
import { byType } from '../../schema/by-type.ts';
import { object, type CompleteOf, type Fields, type ObjectOf } from '../../schema/object.ts';
import { refine, type Check } from '../../schema/refine.ts';
import type { Schema } from '../../schema/schema.ts';
import { boolean, number, oneOf, text } from '../../schema/values.ts';
import type { CheckNeeds } from './check-needs.ts';
import type { EvaluationTools } from './evaluation-tools.ts';
import type { Obstacle, PreflightTools } from './preflight.ts';

/** What an evaluator does with its parameters `P`. */
interface Behaviour<P> {
  evaluate(
    parameters: P,
    evidence: Evidence,
    tools: EvaluationTools,
  ): AssertionOutcome | Promise<AssertionOutcome>;
  /** What a reply must have for this to hold, to check suites with. Absent or undefined: a judge or a program decides. */
  oracle?(parameters: P, context: OracleContext): WantedReply | undefined;
  /** What would keep it from being evaluated, found before the agent is called. Absent: it needs nothing but the evidence. */
  preflight?(parameters: P, tools: PreflightTools): Promise<readonly Obstacle[]>;
  /** What else it decides by. Absent: nothing but its parameters and the evidence. */
  needs?(parameters: P): CheckNeeds;
  /** What makes it weaker than it looks, though it can hold and be broken. */
  doubts?(parameters: P, context: Pick<OracleContext, 'expected_messages'>): readonly Doubt[];
}

/** A kind of evaluator: an assertion in list form. Its own file knows the type of its parameters. */
export interface EvaluatorKind extends Behaviour<JsonObject> {
  readonly kind: string;
  readonly doc: string;
  /** Its score is 0 or 1, so that `negate` makes sense. */
  readonly isBinary: boolean;
  readonly schema: EvaluatorSchema;
}

/** What every evaluator may say, read; what else is there are its parameters. */
type ReadEvaluator = ObjectOf<typeof COMMON_FIELDS> & JsonObject;

interface EvaluatorSchema extends Schema<ReadEvaluator> {
  readonly fields: Fields;
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

interface EvaluatorDefinition<F, P> extends Behaviour<P> {
  readonly kind: string;
  readonly doc: string;
  readonly isBinary?: boolean;
  readonly fields: F;
  /** What the schemas of its fields cannot say. */
  readonly check?: Check<P>;
}

/** A kind of evaluator, from the fields that its author may write: their types are those of its parameters. */
export function defineEvaluator<const F extends Fields>(
  definition: EvaluatorDefinition<F, CompleteOf<F>>,
): EvaluatorKind {
  return toKind(definition, 'error');
}

/** The same, where keys without a meaning of their own are handed on under `config`. */
export function defineConfigurable<const F extends Fields>(
  definition: EvaluatorDefinition<F, CompleteOf<F> & { readonly config?: JsonObject }>,
): EvaluatorKind {
  return toKind(definition, 'config');
}

/** From here on nobody knows the types. The list of evaluators hands each kind only what its own schema has read. */
function toKind<P>(
  { fields, check, isBinary = false, ...definition }: EvaluatorDefinition<Fields, P>,
  unknown: 'error' | 'config',
): EvaluatorKind {
  const { kind } = definition;
  const own: Fields = {
    type: { schema: oneOf([kind]), doc: 'The kind of evaluator.', missing: 'missing_type' },
    ...COMMON_FIELDS,
    ...fields,
  };
  const schema = object(own, { what: `the evaluator \`${kind}\``, unknown }) as EvaluatorSchema;
  return {
    ...(definition as Behaviour<unknown>),
    kind,
    doc: definition.doc,
    isBinary,
    schema: check === undefined ? schema : refine(schema, check as Check<unknown>),
  };
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
} as const satisfies Fields;
