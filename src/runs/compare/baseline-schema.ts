import { BASELINE, BASELINE_VERSION } from '../../base/model/baseline.ts';
import { publishedSchema, type JsonSchema } from '../../base/model/described.ts';

/** JSON Schema of a baseline file. */
export function baselineJsonSchema(): JsonSchema {
  return publishedSchema(`Assay baseline, version ${BASELINE_VERSION}`, BASELINE);
}
