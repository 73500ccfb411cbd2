import type { Assertion } from '../../model/assertion.ts';
import type { Schema } from '../../schema/schema.ts';
import type { ClaimKind } from './claim-kind.ts';
import type { EvaluatorKind } from './evaluator-kind.ts';

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
