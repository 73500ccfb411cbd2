import { BASELINE_VERSION } from '../model/baseline.ts';
import type { JsonSchema } from '../schema/schema.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const amount = { type: 'number', minimum: 0 };

/** JSON Schema of a baseline file. */
export function baselineJsonSchema(): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `Assay baseline, version ${BASELINE_VERSION}`,
    description: 'What a run came to, test by test. Written by `assay baseline update`.',
    type: 'object',
    properties: {
      assay_baseline: { const: BASELINE_VERSION, description: 'The version of the format.' },
      run_id: { ...text, description: 'The run it was made of.' },
      git_revision: { ...text, description: 'What was checked out when the run began.' },
      tests: { type: 'array', items: { $ref: '#/definitions/test' } },
    },
    required: ['assay_baseline', 'run_id', 'tests'],
    additionalProperties: false,
    definitions: { test },
  };
}

const test = {
  type: 'object',
  description: 'One test of one target, over its repeats.',
  properties: {
    file: { ...text, description: 'Relative to the project.' },
    test: { ...text, description: "The test's id." },
    target: { ...text, description: "The agent's name." },
    verdict: { enum: ['passed', 'failed', 'error', 'skipped'] },
    passed: { ...count, description: 'How many repeats passed.' },
    measured: { ...count, description: 'How many repeats passed or failed.' },
    score: { type: 'number', minimum: 0, maximum: 1, description: 'The mean over the measured repeats.' },
    latency_median_ms: { ...amount, description: 'The median over the measured repeats.' },
    cost_usd: { ...amount, description: 'Of one attempt, on average.' },
  },
  required: ['file', 'test', 'target', 'verdict', 'passed', 'measured'],
  additionalProperties: false,
};
