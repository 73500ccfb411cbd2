import { publishedSchema, type JsonSchema } from '../../base/model/described.ts';
import { REPORT } from '../../base/model/report.ts';

/** JSON Schema of what the reporter `json` writes. */
export function reportJsonSchema(): JsonSchema {
  return publishedSchema("The report of Assay's JSON reporter", REPORT);
}
