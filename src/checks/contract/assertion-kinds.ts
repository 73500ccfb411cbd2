import { membersOf, type Assertion } from '../../base/model/assertion.ts';
import type { ReplyPart } from '../../base/model/reply-requirements.ts';
import type { Schema } from '../../base/schema/schema.ts';
import type { AssertionKind } from './assertion-kind.ts';
import type { ClaimKind } from './claim-kind.ts';
import type { EvaluatorKind } from './evaluator-kind.ts';
import type { EvaluatorSpelling } from './evaluator-spelling.ts';

interface ListedKinds {
  /** The keys of an `assert` map. */
  readonly claims: readonly ClaimKind[];
  /** The strict block `expected`. */
  readonly expected: ClaimKind;
  readonly evaluators: readonly EvaluatorKind[];
  /** The same evaluators as other tools write them. */
  readonly spellings: readonly EvaluatorSpelling[];
  readonly evaluatorList: Schema<readonly Assertion[]>;
  /** What a case's `rubrics` become. */
  readonly rubric: EvaluatorKind;
  /** The kind that a `type` names: a listed one, or one of the user's own. */
  readonly evaluatorOf: (type: string) => EvaluatorKind | undefined;
  /** A kind that is not listed: in a file that a suite or its config names. */
  readonly custom: (assertion: Pick<Assertion, 'kind' | 'source'>) => EvaluatorKind | undefined;
}

/** The known assertions. Rooms that need them get them passed in, so that a new kind changes none of those. */
export class AssertionKinds implements ListedKinds {
  readonly claims: readonly ClaimKind[];
  readonly expected: ClaimKind;
  readonly evaluators: readonly EvaluatorKind[];
  readonly spellings: readonly EvaluatorSpelling[];
  readonly evaluatorList: Schema<readonly Assertion[]>;
  readonly rubric: EvaluatorKind;
  readonly evaluatorOf: ListedKinds['evaluatorOf'];
  readonly custom: ListedKinds['custom'];
  private readonly byForm: Readonly<Record<Assertion['form'], ReadonlyMap<string, AssertionKind>>>;

  constructor(listed: ListedKinds) {
    const { claims, expected, evaluators, spellings, evaluatorList, rubric, evaluatorOf, custom } = listed;
    this.claims = claims;
    this.expected = expected;
    this.evaluators = evaluators;
    this.spellings = spellings;
    this.evaluatorList = evaluatorList;
    this.rubric = rubric;
    this.evaluatorOf = evaluatorOf;
    this.custom = custom;
    this.byForm = {
      claim: new Map([...claims, expected].map((kind) => [kind.kind, kind])),
      evaluator: new Map(evaluators.map((kind) => [kind.kind, kind])),
    };
  }

  of({ form, kind, source }: Pick<Assertion, 'form' | 'kind' | 'source'>): AssertionKind | undefined {
    const listed = source === undefined ? this.byForm[form].get(kind) : undefined;
    return listed ?? (form === 'evaluator' ? this.custom({ kind, source }) : undefined);
  }

  /** Whether an assertion, or one inside it, makes a claim about a part of the reply. */
  reads(assertion: Assertion, part: ReplyPart): boolean {
    return (
      this.of(assertion)?.reads(assertion.parameters).includes(part) === true ||
      membersOf(assertion).some((member) => this.reads(member, part))
    );
  }
}
