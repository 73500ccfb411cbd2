import { createAssertionKinds } from '../../checks/registry.ts';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import { evalCaseSchema, type EvalCaseSchema } from '../formats/eval-case-schema.ts';
import { evalFileSchema } from '../formats/eval-file.ts';
import { sidecarSchema } from '../formats/sidecar.ts';
import { createStepTestSchemas } from '../formats/step-test.ts';
import { COMPARABLE, comparableJsonSchema } from '../../base/match/matchers/comparable.ts';
import type { JsonSchema } from '../../base/schema/schema.ts';
import { withVariables } from '../../base/schema/templated.ts';
import { evaluatorJsonSchema } from './evaluator-json-schema.ts';

/** The JSON Schemas of the formats, from the same schemas that the loaders use. */
export function publishedSchemas() {
  const kinds = createAssertionKinds();
  const evalCase: EvalCaseSchema = evalCaseSchema(kinds);
  const { test, singleTurn } = createStepTestSchemas(kinds);
  const stepTest = { anyOf: [test.jsonSchema, singleTurn.jsonSchema] };
  return {
    eval: publishEvalFile(kinds, evalCase),
    dataset: publish('One line of an Assay dataset (JSONL)', evalCase.jsonSchema, kinds),
    sidecar: publish('Settings for all lines of an Assay dataset', sidecarSchema(kinds).jsonSchema, kinds),
    steps: publish(
      'Assay step test',
      { anyOf: [...stepTest.anyOf, { type: 'array', items: stepTest }] },
      kinds,
    ),
  } as const;
}

/** The list of cases has three names: the schema of a case is written once. */
function publishEvalFile(kinds: AssertionKinds, evalCase: EvalCaseSchema): JsonSchema {
  const byName = { ...evalCase, jsonSchema: { $ref: '#/definitions/eval_case' } };
  const { definitions, ...schema } = publish(
    'Assay eval file',
    evalFileSchema(kinds, byName).jsonSchema,
    kinds,
  );
  return {
    ...schema,
    definitions: { ...(definitions as object), eval_case: withVariables(evalCase.jsonSchema) },
  };
}

function publish(title: string, schema: JsonSchema, kinds: AssertionKinds): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    ...withVariables(schema),
    definitions: {
      [COMPARABLE]: withVariables(comparableJsonSchema()),
      evaluator: evaluatorJsonSchema(kinds),
    },
  };
}
