import { TARGET_KINDS } from '../../agents/kinds/registry.ts';
import { COMMON } from '../../agents/kinds/target-fields.ts';
import type { TargetKind } from '../../agents/kinds/target-kind.ts';
import { COMPARABLE, comparableJsonSchema } from '../../base/match/matchers/comparable.ts';
import { EDITORS } from '../../base/model/editor.ts';
import { nearNames } from '../../base/schema/near-names.ts';
import { object } from '../../base/schema/object.ts';
import type { JsonSchema } from '../../base/schema/schema.ts';
import { configSchema } from './config-schema.ts';

/** The JSON Schema of a config, and of a targets file. */
export function configJsonSchema(): JsonSchema {
  const { properties, ...rest } = configSchema.jsonSchema as {
    readonly properties: Readonly<Record<string, JsonSchema>>;
  };
  const targets = { ...properties['targets'], items: { $ref: '#/definitions/target' } };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Assay config',
    ...rest,
    properties: {
      ...properties,
      targets,
      // Proposed by editors; other values are fine.
      editor: { ...properties['editor'], examples: [...Object.keys(EDITORS), 'off'] },
    },
    definitions: { [COMPARABLE]: comparableJsonSchema(), target: targetJsonSchema() },
  };
}

/** What a target says decides its kind, and its kind decides its fields. */
function targetJsonSchema(): JsonSchema {
  const common = object(COMMON, { what: 'a target' }).jsonSchema['properties'] as JsonSchema;
  const keyed = TARGET_KINDS.flatMap(({ keys = [] }) => keys.slice(0, 1));
  return {
    title: 'target',
    description: 'An agent that suites can name.',
    type: 'object',
    required: ['name'],
    properties: {
      ...common,
      provider: providerJsonSchema(),
      ...Object.fromEntries(keyed.map((key) => [key, docOf(key)])),
    },
    allOf: TARGET_KINDS.flatMap(whenKind),
  };
}

function whenKind(kind: TargetKind): readonly JsonSchema[] {
  const { when, providers, schema, name } = kind;
  const condition = when ?? (providers === undefined ? undefined : ofProviders(providers));
  if (condition === undefined) return [];
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  return [{ if: { type: 'object', ...condition }, then: { title: name, ...schema.jsonSchema } }];
}

/** Capitals and blanks do not matter. */
function ofProviders(names: readonly string[]): JsonSchema {
  const words = names.map((name) =>
    name.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`),
  );
  const provider = { type: 'string', pattern: String.raw`^\s*(?:${words.join('|')})\s*$` };
  return { required: ['provider'], properties: { provider } };
}

/** A provider that Assay does not know may be meant for another tool. */
function providerJsonSchema(): JsonSchema {
  const names = TARGET_KINDS.flatMap(({ providers = [] }) => providers);
  const known = (ofProviders(names)['properties'] as Readonly<Record<string, JsonSchema>>)['provider']!;
  return {
    description: 'Who serves the model, or `mock`, `cli` or a coding agent.',
    anyOf: [
      { enum: names },
      {
        type: 'string',
        pattern: `${String(known['pattern'])}|^(?!(?:${nearNames(names)})$)\\S`,
        patternErrorMessage: `Unknown provider. The providers are ${names.join(', ')}.`,
      },
    ],
  };
}

/** The description of a key that decides the kind of a target. */
function docOf(key: string): JsonSchema {
  for (const { keys = [], schema } of TARGET_KINDS) {
    const fields = schema.jsonSchema['properties'] as Readonly<Record<string, JsonSchema>> | undefined;
    const description = keys.includes(key) ? fields?.[key]?.['description'] : undefined;
    if (description !== undefined) return { description };
  }
  return {};
}
