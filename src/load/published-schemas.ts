import { createAssertionKinds } from '../assertions/registry.ts';
import { evalCaseSchema, type EvalCaseSchema } from '../formats/eval-case-schema.ts';
import { evalFileSchema } from '../formats/eval-file.ts';
import { createStepTestSchemas } from '../formats/step-test.ts';
import { COMMON_FIELDS } from '../assertions/contract/evaluator-kind.ts';
import { object } from '../schema/object.ts';
import type { AssertionKinds } from '../assertions/contract/assertion-kinds.ts';
import { COMPARABLE, comparableJsonSchema } from '../match/matchers/comparable.ts';
import type { EvaluatorKind } from '../assertions/contract/evaluator-kind.ts';
import type { JsonSchema } from '../schema/schema.ts';

export type PublishedSchema = 'eval' | 'dataset' | 'steps';

/** The JSON Schemas of the formats, from the same schemas that the loaders use. */
export function publishedSchemas(): Readonly<Record<PublishedSchema, JsonSchema>> {
  const kinds = createAssertionKinds();
  const evalCase: EvalCaseSchema = evalCaseSchema(kinds);
  const { test, singleTurn } = createStepTestSchemas(kinds);
  const stepTest = { anyOf: [test.jsonSchema, singleTurn.jsonSchema] };
  return {
    eval: publish('Assay eval file', evalFileSchema(kinds, evalCase).jsonSchema, kinds),
    dataset: publish('One line of an Assay dataset (JSONL)', evalCase.jsonSchema, kinds),
    steps: publish(
      'Assay step test',
      { anyOf: [...stepTest.anyOf, { type: 'array', items: stepTest }] },
      kinds,
    ),
  };
}

/** Only the loader knows the fields of an evaluator that a config or a suite names. */
function customEvaluator(builtIn: readonly string[]): JsonSchema {
  const { jsonSchema } = object(COMMON_FIELDS, { what: 'an evaluator', unknown: 'config' });
  const type = {
    description: 'An evaluator of your own: a name that the config registers, or `./checks.ts#name`.',
    type: 'string',
    not: { enum: builtIn },
  };
  return {
    title: 'custom evaluator',
    description: 'An evaluator of your own.',
    ...jsonSchema,
    properties: { type, ...(jsonSchema['properties'] as object) },
    required: ['type'],
  } as JsonSchema;
}

function publish(title: string, schema: JsonSchema, { evaluators, spellings }: AssertionKinds): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    ...schema,
    definitions: {
      [COMPARABLE]: comparableJsonSchema(),
      evaluator: {
        description: 'One evaluator: how an answer is judged.',
        type: 'object',
        required: ['type'],
        // Not oneOf: two of them may have a name in common, spelled with underscores and with hyphens.
        anyOf: [
          ...evaluators.map((each) => describeEvaluator(each.kind, each)),
          ...spellings.map((each) => describeEvaluator(each.names[0], each)),
          customEvaluator([...new Set([...evaluators, ...spellings].flatMap(typesOf))]),
        ],
      },
    },
  };
}

/** Every `type` that an evaluator may have. */
function typesOf({ schema }: Pick<EvaluatorKind, 'schema'>): readonly string[] {
  return (schema.fields['type']?.schema.jsonSchema['enum'] ?? []) as readonly string[];
}

function describeEvaluator(
  title: string,
  { doc, schema }: Pick<EvaluatorKind, 'doc' | 'schema'>,
): JsonSchema {
  return { title, description: doc, ...schema.jsonSchema };
}
