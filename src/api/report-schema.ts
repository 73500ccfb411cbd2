import { recordJsonSchema } from '../journal/record-schema.ts';
import type { Summary } from '../model/summary.ts';
import type { JsonSchema } from '../schema/schema.ts';

/** JSON Schema of what the reporter `json` writes. */
export function reportJsonSchema(): JsonSchema {
  const { $schema, title: _title, definitions, ...record } = recordJsonSchema();
  return {
    $schema,
    title: "The report of Assay's JSON reporter",
    type: 'object',
    properties: {
      run_id: {
        type: 'string',
        description: "The name of the run's folder; empty when it was not recorded.",
      },
      results: { type: 'array', items: { $ref: '#/definitions/record' } },
      findings: {
        type: 'array',
        items: { $ref: '#/definitions/finding' },
        description: 'Of the files, of the run, and of its attempts.',
      },
      summary: { $ref: '#/definitions/summary' },
      exit_code: { enum: [0, 1, 2, 3, 130] },
    },
    required: ['run_id', 'results', 'findings', 'summary', 'exit_code'],
    additionalProperties: false,
    definitions: { ...(definitions as JsonSchema), record, summary },
  };
}

const count = { type: 'integer', minimum: 0 };

const summaryFields: Readonly<Record<keyof Summary, JsonSchema>> = {
  tests: { ...count, description: 'Test times target.' },
  attempts: { ...count, description: 'With the repeats.' },
  passed: count,
  failed: count,
  error: { ...count, description: 'Tests that could not be measured.' },
  skipped: count,
  flaky: { ...count, description: 'Tests that both passed and failed.' },
  duration_ms: { type: 'number', minimum: 0 },
  interrupted: { type: 'boolean' },
};

const summary: JsonSchema = {
  type: 'object',
  properties: summaryFields,
  required: Object.keys(summaryFields),
  additionalProperties: false,
};
