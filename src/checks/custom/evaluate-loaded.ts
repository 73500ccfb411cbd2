import type { AssertionOutcome, Evidence } from '../../base/model/evidence.ts';
import type { JsonObject } from '../../base/model/json.ts';
import type { LoadedEvaluator } from '../contract/custom-evaluator.ts';
import type { EvaluationTools } from '../contract/evaluation-tools.ts';
import { traceSummaryWarnings } from '../trace-summary.ts';
import { judgeFailed } from '../unmeasured.ts';
import { evaluatorEvidence } from './evaluator-evidence.ts';
import { readResult } from './read-result.ts';

/** Calls an evaluator. One that throws, or returns something else than a score, is an error and never a 0. */
export function evaluateLoaded(
  evaluator: LoadedEvaluator,
  fields: JsonObject,
  { evidence, tools }: { readonly evidence: Evidence; readonly tools: EvaluationTools },
): AssertionOutcome | Promise<AssertionOutcome> {
  const finish = (returned: unknown): AssertionOutcome => {
    const outcome = readResult(returned, evaluator.name, evidence.threshold);
    const warnings = 'error' in outcome ? [] : traceSummaryWarnings(evidence);
    return warnings.length === 0 ? outcome : { ...outcome, warnings };
  };
  const fail = (error: unknown): AssertionOutcome => judgeFailed((error as Error).message);
  try {
    const returned = evaluator.evaluate(fields, evaluatorEvidence(evidence, tools), tools.signal);
    return returned instanceof Promise ? returned.then(finish).catch(fail) : finish(returned);
  } catch (error) {
    return fail(error);
  }
}
