import type { Assertion } from '../../model/assertion.ts';
import type { AssertionOutcome, Evidence } from '../../model/evidence.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Message } from '../../model/message.ts';
import type { ReplyPart, ReplyRequirements } from '../../model/reply-requirements.ts';
import type { CheckNeeds } from './check-needs.ts';
import type { EvaluationTools } from './evaluation-tools.ts';
import type { Obstacle, PreflightTools } from './preflight.ts';
import type { WeakAnswer } from './weak-answer.ts';

/** A kind of assertion, for those that handle every kind. Its own file knows the type of its parameters. */
export interface AssertionKind extends Behaviour<JsonObject> {
  readonly kind: string;
  readonly doc: string;
  /** The parts of a reply that it makes a claim about. Empty where a judge or a program decides, and for what is inside of it. */
  reads(parameters: JsonObject): readonly ReplyPart[];
}

/** What an assertion does with its parameters `P`, and what it says of itself. */
interface Behaviour<P> {
  evaluate(
    parameters: P,
    evidence: Evidence,
    tools: EvaluationTools,
  ): AssertionOutcome | Promise<AssertionOutcome>;
  /** What a reply must have for this to hold, to check suites with. Absent or undefined: a judge or a program decides. */
  oracle?(parameters: P, context: OracleContext): Wanted | undefined;
  /** What would keep it from being evaluated, found before the agent is called. Absent: it needs nothing but the evidence. */
  preflight?(parameters: P, tools: PreflightTools): Promise<readonly Obstacle[]>;
  /** What else it decides by. Absent: nothing but its parameters, the evidence and what it nests. */
  needs?(parameters: P): CheckNeeds;
  /** What makes it weaker than it looks, though it can hold and be broken. */
  doubts?(parameters: P, context: Pick<OracleContext, 'expected_messages'>): readonly Doubt[];
  /** The same parameters with the files that they name written out. One that cannot be used stays a name: a run says why. */
  withFiles?(parameters: P, readText: (path: string) => string | undefined): P;
  /** Answers that may satisfy it though its author hardly means them. Of each list the first that passes is enough. */
  weakAnswers?(parameters: P): readonly (readonly WeakAnswer[])[];
  /** For a kind that is made of others. */
  readonly nests?: Nesting<P>;
  /** Where the exact value stands that it wants, so that it can be updated. Absent: it wants none. */
  readonly states?: StatedValue;
}

/** What the file of a kind says. */
export interface KindDefinition<P> extends Behaviour<P> {
  readonly kind: string;
  readonly doc: string;
  /** A list, when it is the same for all parameters. */
  readonly reads: readonly ReplyPart[] | ((parameters: P) => readonly ReplyPart[]);
}

/** `about` is what the kind reads, unless it says less. */
export type Wanted = Omit<ReplyRequirements, 'about'> & Partial<Pick<ReplyRequirements, 'about'>>;

interface OracleContext {
  readonly expected_messages: readonly Message[];
  /** The same of another assertion: for an evaluator that is made of others. */
  wantedBy(assertion: Assertion): ReplyRequirements | undefined;
}

/** Why an assertion checks less than its author may think. */
export interface Doubt {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

interface Nesting<P> {
  /** The field that holds the assertions. */
  readonly field: string & keyof P;
  /** What one of them counts in the score. */
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

/** From here on nobody knows the types: loaders hand each kind only what its own schema has read. */
export function toAssertionKind<P>(definition: KindDefinition<P>): AssertionKind {
  const { reads } = definition;
  const kind = { ...definition, reads: typeof reads === 'function' ? reads : () => reads };
  return kind as unknown as AssertionKind;
}
