import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Weakness } from '../contract/assertion-kind.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';

/** Keywords without effect: what they require, or should have required, is not checked. */
export function schemaWeaknesses(schema: JsonObject): readonly Weakness[] {
  const schemas = [...schemasIn(schema, 0)];
  const formats = new Set(schemas.map(({ format }) => format).filter((format) => typeof format === 'string'));
  return [...schemas.flatMap(misspelledKeywords), ...[...formats].map(uncheckedFormat)];
}

function misspelledKeywords(schema: JsonObject): readonly Weakness[] {
  return Object.keys(schema).flatMap((keyword) => {
    if (KEYWORDS.includes(keyword)) return [];
    const hint = didYouMean(keyword, KEYWORDS);
    if (hint === undefined) return [];
    const message = `JSON Schema has no keyword "${keyword}": it has no effect`;
    return [{ code: 'schema_keyword', message, hint }];
  });
}

function uncheckedFormat(format: string): Weakness {
  const hint = 'use `pattern` instead, or remove it';
  return { code: 'schema_keyword', message: `the format "${format}" is not checked`, hint };
}

const SCHEMAS_BY_NAME = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const LISTS_OF_SCHEMAS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const SCHEMAS = [
  'items',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
];

const KEYWORDS: readonly string[] = [
  ...SCHEMAS_BY_NAME,
  ...LISTS_OF_SCHEMAS,
  ...SCHEMAS,
  ...(
    '$schema $id $ref $comment $anchor $dynamicRef $dynamicAnchor $vocabulary id title description default examples example deprecated readOnly writeOnly nullable ' +
    'type enum const format pattern minLength maxLength contentEncoding contentMediaType minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
    'contentSchema minItems maxItems uniqueItems minContains maxContains additionalItems required minProperties maxProperties dependentRequired dependencies discriminator'
  ).split(' '),
];

const DEEPEST = 30;

function* schemasIn(schema: Json | undefined, depth: number): Generator<JsonObject> {
  if (!isJsonObject(schema) || depth > DEEPEST) return;
  yield schema;
  for (const [keyword, value] of Object.entries(schema)) {
    if (SCHEMAS.includes(keyword)) yield* schemasIn(value, depth + 1);
    const inner =
      (LISTS_OF_SCHEMAS.includes(keyword) && isJsonList(value)) ||
      (SCHEMAS_BY_NAME.includes(keyword) && isJsonObject(value))
        ? Object.values<Json>(value)
        : [];
    for (const own of inner) yield* schemasIn(own, depth + 1);
  }
}
