import type { Assertion } from '../../base/model/assertion.ts';
import type { AssertionOutcome, Evidence, MeasuredOutcome } from '../../base/model/evidence.ts';
import type { JsonObject } from '../../base/model/json.ts';
import type { Message } from '../../base/model/message.ts';
import type { ReplyPart, ReplyRequirements } from '../../base/model/reply-requirements.ts';
import type { CheckNeeds } from './check-needs.ts';
import type { EvaluationTools } from './evaluation-tools.ts';
import type { Obstacle, PreflightTools } from './preflight.ts';
import type { WeakAnswer } from './weak-answer.ts';

/** A kind of assertion, for code that handles every kind. Only its own file knows the type of its parameters. */
export interface AssertionKind extends Behaviour<JsonObject> {
  readonly kind: string;
  readonly doc: string;
  /**
   * The parts of a reply that it makes a claim about. Empty if a judge or a program decides, and for nested
   * assertions.
   */
  reads(parameters: JsonObject): readonly ReplyPart[];
  /** Why `check` cannot decide without an oracle. Default: a judge or a program decides. */
  readonly unchecked?: string | undefined;
}

/** What an assertion does with its parameters `P`, and what it declares about itself. */
interface Behaviour<P> {
  evaluate(
    parameters: P,
    evidence: Evidence,
    tools: EvaluationTools,
  ): AssertionOutcome | Promise<AssertionOutcome>;
  /**
   * What a reply must have for this to hold, to check suites with. Absent or undefined: a judge or a program
   * decides.
   */
  oracle?(parameters: P, context: OracleContext): Wanted | undefined;
  /** What would prevent its evaluation, found before the agent is called. Absent: it needs only the evidence. */
  preflight?(parameters: P, tools: PreflightTools): Promise<readonly Obstacle[]>;
  /** What else its result depends on. Absent: only its parameters, the evidence and nested assertions. */
  needs?(parameters: P): CheckNeeds;
  /**
   * For a kind that makes a claim about tools: whether its outcome on the known calls stays the same if the agent made more calls
   * than are known. Absent: it is never certain.
   */
  standsWithMoreCalls?(parameters: P, known: KnownOutcome): boolean;
  /** What makes it weaker than it looks, although it can hold and be broken. */
  weaknesses?(parameters: P, context: Pick<OracleContext, 'expected_messages'>): readonly Weakness[];
  /**
   * The same parameters with the content of the files that they name. A file that cannot be used stays a name: a
   * run reports why.
   */
  withFiles?(parameters: P, readText: (path: string) => string | undefined): P;
  /**
   * Answers that may satisfy it although its author hardly means them. The first that passes in each list is
   * enough.
   */
  weakAnswers?(parameters: P): readonly (readonly WeakAnswer[])[];
  /** For a kind that is made of others. */
  readonly nests?: Nesting<P>;
  /** Where its exact expected value is, so that it can be updated. Absent: it has none. */
  readonly states?: StatedValue;
}

/** The outcome of an assertion on the calls that are known. */
export interface KnownOutcome {
  readonly outcome: MeasuredOutcome;
  readonly evidence: Evidence;
}

/** The definition of a kind, in its own file. */
export interface KindDefinition<P> extends Behaviour<P> {
  readonly kind: string;
  readonly doc: string;
  /** A list, if it is the same for all parameters. */
  readonly reads: readonly ReplyPart[] | ((parameters: P) => readonly ReplyPart[]);
}

/** `about` is what the kind reads, unless it says less. */
export type Wanted = Omit<ReplyRequirements, 'about'> & Partial<Pick<ReplyRequirements, 'about'>>;

interface OracleContext {
  readonly expected_messages: readonly Message[];
  /** The same for another assertion: for an evaluator made of others. */
  wantedBy(assertion: Assertion): ReplyRequirements | undefined;
}

/** Why an assertion checks less than its author may think. */
export interface Weakness {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

interface Nesting<P> {
  /** The field that contains the assertions. */
  readonly field: string & keyof P;
  /** The weight of one of them in the score. */
  weightOf(member: Assertion, parameters: P): number;
  /** Their weighted mean is the score: no judge and no program decides. */
  isMean(parameters: P): boolean;
}

export interface StatedValue {
  /** Under its key or in its field `value`; in the parts of its block; in the expected answer of the test. */
  readonly at: 'value' | 'parts' | 'answer';
  /** The part of a reply that is compared with it. */
  readonly of?: 'output' | 'tools_used' | 'memory';
}

/** From here on the types are erased: loaders pass each kind only what its own schema has read. */
export function toAssertionKind<P>(definition: KindDefinition<P>): AssertionKind {
  const { reads } = definition;
  const kind = { ...definition, reads: typeof reads === 'function' ? reads : () => reads };
  return kind as unknown as AssertionKind;
}
