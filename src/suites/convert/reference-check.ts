import type { JsonObject } from '../../base/model/json.ts';
import type { ConvertOptions } from './contract.ts';

/** Compares an answer with the expected one: exactly, or by the judge. */
export function referenceCheck(evaluator: NonNullable<ConvertOptions['evaluator']>): JsonObject {
  return evaluator === 'match' ? { type: 'match' } : { type: 'llm_judge', rubrics: [SAYS_THE_SAME] };
}

const SAYS_THE_SAME = 'The answer says the same as the reference answer.';
