import { compileValidator, detailOf, pointerPath, type Violation } from '../json-schema.ts';
import { COMMON_FIELDS } from '../contract/evaluator-kind.ts';
import { frozenCopy } from '../custom/evaluator-evidence.ts';
import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { JsonSchema } from '../../base/model/described.ts';
import { formatPath, type PathSegment } from '../../base/model/place.ts';
import { didYouMean, quoteName } from '../../base/schema/did-you-mean.ts';
import type { SchemaProblem } from '../../base/schema/reader.ts';
import { describe } from '../../base/schema/values.ts';
import { EvaluatorFileError } from './evaluator-file-error.ts';
import type { StandardIssue, StandardSchema } from './define-evaluator.ts';

/** Checks the own fields of an evaluator, and makes its config of them. */
export interface FieldSchema {
  readonly jsonSchema?: JsonSchema | undefined;
  read(fields: JsonObject): { readonly config: unknown } | { readonly problems: readonly SchemaProblem[] };
}

/** Throws an EvaluatorFileError if the schema cannot be used. */
export async function createFieldSchema(schema: unknown, name: string): Promise<FieldSchema> {
  if (schema === undefined || schema === null) return { read: (fields) => ({ config: frozenCopy(fields) }) };
  if (isStandardSchema(schema)) return fromStandardSchema(schema, name);
  if (isJsonObject(schema as Json)) return fromJsonSchema(schema as JsonObject, name);
  throw new EvaluatorFileError(
    `the \`schema\` of ${quoteName(name)} must be a JSON Schema or a Standard Schema (zod, valibot, arktype)`,
  );
}

function isStandardSchema(schema: unknown): schema is StandardSchema {
  if (typeof schema !== 'object' && typeof schema !== 'function') return false;
  const standard = (schema as Partial<StandardSchema>)['~standard'];
  return typeof standard?.validate === 'function';
}

async function fromJsonSchema(authored: JsonObject, name: string): Promise<FieldSchema> {
  const properties = ownValue(authored, 'properties');
  const own = isJsonObject(properties) ? Object.keys(properties) : [];
  const taken = own.find((key) => key === 'type' || Object.hasOwn(COMMON_FIELDS, key));
  if (taken !== undefined)
    throw new EvaluatorFileError(
      `the schema of ${quoteName(name)} has the field ${quoteName(taken)}, which every evaluator has already: rename it`,
    );
  if (own.length === 0 && !hasRules(authored))
    throw new EvaluatorFileError(
      `the schema of ${quoteName(name)} describes nothing: write { type: 'object', properties: { ... } }, or leave it out`,
    );
  // A field that the schema does not know is a mistake unless the schema says otherwise.
  const schema = { type: 'object', additionalProperties: false, ...authored };
  const hasDefaults = JSON.stringify(schema).includes('"default"');
  const validate = await compileValidator(schema, { onNote: () => {}, addsDefaults: hasDefaults }).catch(
    (error: Error) => {
      throw new EvaluatorFileError(
        `the schema of ${quoteName(name)} is not a valid JSON Schema: ${error.message}`,
      );
    },
  );
  return {
    jsonSchema: schema as JsonSchema,
    read(fields) {
      // A validator that adds defaults changes what it is given.
      const config = hasDefaults ? structuredClone(fields) : fields;
      if (validate(config)) return { config: frozenCopy(config) };
      const problems = (validate.errors ?? []).map((each) => toProblem(each, { name, own, fields }));
      return { problems: withoutMisspelled(problems) };
    },
  };
}

const RULES = ['properties', 'patternProperties', 'additionalProperties', 'allOf', 'anyOf', 'oneOf', '$ref'];

function hasRules(schema: JsonObject): boolean {
  return RULES.some((key) => Object.hasOwn(schema, key));
}

/** A misspelled field is reported as misspelled; also reporting it as missing would add nothing. */
function withoutMisspelled(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
  const hints = new Set(problems.flatMap(({ code, hint }) => (code === 'unknown_field' ? [hint] : [])));
  return problems.filter(
    ({ code, at = [] }) =>
      code !== 'missing_field' || at.length > 1 || !hints.has(didYouMean(String(at[0]), [String(at[0])])),
  );
}

interface Violated {
  readonly name: string;
  readonly own: readonly string[];
  readonly fields: JsonObject;
}

function toProblem(
  { instancePath, keyword, message = 'is not valid', params }: Violation,
  { name, own, fields }: Violated,
): SchemaProblem {
  const at = pointerPath(instancePath);
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const key = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
    return unknownField(key, { name, at, known: at.length === 0 ? own : [] });
  }
  if (keyword === 'required') {
    const key = String(params['missingProperty']);
    return {
      code: 'missing_field',
      message: `${whose(name, at)} needs ${quoteName(key)}`,
      hint: `add ${quoteName(key)}`,
      at: [...at, key],
    };
  }
  const what = at.length === 0 ? `the evaluator ${quoteName(name)}` : quoteName(formatPath(at));
  const value = at.reduce<Json | undefined>(
    (parent, key) => (parent as Readonly<Record<PathSegment, Json>> | undefined)?.[key],
    fields,
  );
  const but = at.length === 0 || value === undefined ? '' : `, but is ${describe(value)}`;
  return {
    code: keyword === 'type' ? 'type' : 'value',
    message: `${what} ${message}${detailOf(params)}${but}`,
    at,
  };
}

interface Unknown {
  readonly name: string;
  readonly at: readonly PathSegment[];
  readonly known: readonly string[];
}

function unknownField(key: string, { name, at, known }: Unknown): SchemaProblem {
  const all = [...known, ...(at.length === 0 ? Object.keys(COMMON_FIELDS) : [])];
  return {
    code: 'unknown_field',
    message: `${whose(name, at)} has no field ${quoteName(key)}`,
    hint:
      didYouMean(key, all) ??
      (all.length === 0 ? undefined : `the fields are ${all.map(quoteName).join(', ')}`),
    at: [...at, key],
    onKey: true,
  };
}

function whose(name: string, at: readonly PathSegment[]): string {
  return at.length === 0 ? `the evaluator ${quoteName(name)}` : quoteName(formatPath(at));
}

function fromStandardSchema(schema: StandardSchema, name: string): FieldSchema {
  const { validate } = schema['~standard'];
  return {
    read(fields) {
      let result: ReturnType<typeof validate>;
      try {
        result = validate(frozenCopy(fields));
      } catch (error) {
        return { problems: [{ code: 'value', message: `its schema threw: ${(error as Error).message}` }] };
      }
      if (result instanceof Promise) {
        result.catch(() => {});
        const message = `the schema of ${quoteName(name)} is asynchronous, which is not possible here`;
        return { problems: [{ code: 'value', message }] };
      }
      if (result.issues !== undefined)
        return { problems: result.issues.map((issue) => standardProblem(issue, name)) };
      const dropped = droppedFields(fields, result.value as Json);
      if (dropped.length === 0) return { config: result.value };
      const known = isJsonObject(result.value as Json) ? Object.keys(result.value as object) : [];
      return { problems: dropped.map((key) => unknownField(key, { name, at: [], known })) };
    },
  };
}

/** Fields that a schema left out without a word, as zod's objects do: a typing mistake would go unnoticed. */
function droppedFields(fields: JsonObject, config: Json): readonly string[] {
  if (!isJsonObject(config) || isJsonList(config)) return [];
  return Object.keys(fields).filter((key) => !Object.hasOwn(config, key));
}

function standardProblem({ message, path = [] }: StandardIssue, name: string): SchemaProblem {
  const at = path.map((part): PathSegment => {
    const key = typeof part === 'object' ? part.key : part;
    return typeof key === 'number' ? key : String(key);
  });
  return { code: 'value', message: `${whose(name, at)}: ${message}`, at };
}
