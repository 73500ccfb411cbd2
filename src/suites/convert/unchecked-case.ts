import type { JsonObject } from '../../base/model/json.ts';
import type { PathSegment } from '../../base/model/place.ts';
import type { ConversionLog } from './conversion-log.ts';

/** A case whose file says nothing about a good answer: it is skipped until its author adds a check. */
export function uncheckedCase(
  fields: JsonObject,
  log: ConversionLog,
  from: readonly PathSegment[],
): JsonObject {
  log.warn({
    code: 'nothing_to_check',
    message: 'this says nothing about a good answer, so the test is skipped',
    hint: 'add `expected_outcome` or `evaluators` to it, and remove `skip`',
    from,
  });
  return { ...fields, skip: 'nothing to check yet', evaluators: [{ type: 'llm_judge' }] };
}
