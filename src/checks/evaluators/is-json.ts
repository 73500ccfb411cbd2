import { splitFences } from '../../base/match/fenced-blocks.ts';
import { parseJson } from '../../base/model/parse-json.ts';
import type { AssertionOutcome, Evidence } from '../../base/model/evidence.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { byType } from '../../base/schema/by-type.ts';
import type { EvaluationTools } from '../contract/evaluation-tools.ts';
import { defineEvaluator } from '../contract/evaluator-kind.ts';
import { wrongInFile } from '../contract/preflight.ts';
import { jsonObject, text } from '../../base/schema/values.ts';
import { acceptsEverything } from '../schema-sense/accepts-everything.ts';
import { schemaWeaknesses } from '../schema-sense/schema-weaknesses.ts';
import { whyImpossible } from '../schema-sense/why-impossible.ts';
import { sampleJson } from '../schema-sense/sample-json.ts';
import { weakAnswers } from '../schema-sense/weak-answers.ts';
import { unmeasured } from '../unmeasured.ts';
import { warnAboutVacuousCheck } from '../vacuous-check.ts';

export const isJson = defineEvaluator({
  kind: 'is_json',
  doc: 'The output is JSON, and matches the schema if there is one.',
  example: { schema: { type: 'object', required: ['total'] } },
  reads: ['output'],
  isBinary: true,
  fields: {
    schema: {
      schema: byType({
        object: jsonObject('JSON Schema'),
        string: text({ nonEmpty: true, label: 'path of a file' }),
      }),
      doc: 'A JSON Schema, or the path of a file with one.',
      verbatim: 'text',
    },
  },
  check(authored, reader, { schema }) {
    if (isJsonObject(schema) && acceptsEverything(schema))
      warnAboutVacuousCheck(authored, reader, {
        why: 'the schema accepts every JSON value',
        hint: 'require something in the schema, or remove `schema`',
        at: ['schema'],
      });
  },
  evaluate: checkOutput,
  async preflight({ schema }, tools) {
    if (schema === undefined) return [];
    const resolved = await resolveSchema(schema, tools);
    return typeof resolved === 'string' ? [wrongInFile('schema_file', resolved)] : [];
  },
  needs: ({ schema }) => (typeof schema === 'string' ? { files: [schema] } : {}),
  oracle({ schema }) {
    // Of a schema in a file nothing is known here but that the output is JSON.
    const own = isJsonObject(schema) ? schema : {};
    const [value, ...others] = isJsonObject(schema) ? sampleJson(schema) : [{}];
    return {
      json: value === undefined ? undefined : { value, others, isWhole: true },
      necessary_rule: { type: 'pattern', pattern: jsonPattern(own) },
      impossible: whyImpossible(own),
    };
  },
  weaknesses: ({ schema }) => (isJsonObject(schema) ? schemaWeaknesses(schema) : []),
  weakAnswers: ({ schema }) => weakAnswers(schema),
  withFiles(parameters, readText) {
    if (typeof parameters.schema !== 'string') return parameters;
    try {
      const schema = parseJson(readText(parameters.schema) ?? '');
      return isJsonObject(schema) ? { schema } : parameters;
    } catch {
      return parameters;
    }
  },
});

/** What every JSON text looks like from outside; of an object when the schema wants one. */
function jsonPattern(schema: JsonObject): string {
  const bracketed: Readonly<Record<string, string>> = {
    object: String.raw`\{[\s\S]*\}`,
    array: String.raw`\[[\s\S]*\]`,
    string: String.raw`"[\s\S]*"`,
    number: String.raw`-?\d[\d.eE+-]*`,
    integer: String.raw`-?\d[\d.eE+-]*`,
    boolean: 'true|false',
    null: 'null',
  };
  const { type } = schema;
  const shapes =
    typeof type === 'string' && Object.hasOwn(bracketed, type)
      ? [bracketed[type]!]
      : Object.values(bracketed);
  return String.raw`\A[ \t\r\n]*(?:${shapes.join('|')})[ \t\r\n]*\Z`;
}

async function checkOutput(
  { schema }: { readonly schema?: JsonObject | string },
  { reply: { output } }: Evidence,
  tools: EvaluationTools,
): Promise<AssertionOutcome> {
  try {
    parseJson(output);
  } catch (error) {
    return { score: 0, message: describeNoJson(output, error as Error), actual: output };
  }
  if (schema === undefined) return { score: 1, message: 'the output is JSON', actual: output };
  const resolved = await resolveSchema(schema, tools);
  if (typeof resolved === 'string') return unmeasured(resolved);
  return checkAgainst(resolved, output, tools);
}

/** The whole output must be JSON: a program that reads it would trip over anything around it. */
function describeNoJson(output: string, error: Error): string {
  const isFenced = splitFences(output).blocks.length > 0;
  return `the output is not JSON: ${isFenced ? 'it has a code fence around it' : error.message}`;
}

async function resolveSchema(
  schema: JsonObject | string,
  tools: Pick<EvaluationTools, 'readFile'>,
): Promise<JsonObject | string> {
  if (typeof schema !== 'string') return hasBigint(schema) ? ROUNDED : schema;
  let parsed: Json;
  try {
    parsed = parseJson(await tools.readFile(schema));
  } catch (error) {
    return `the schema ${schema} could not be read: ${(error as Error).message}`;
  }
  if (!isJsonObject(parsed)) return `the schema ${schema} is not a JSON Schema: it must be an object`;
  return hasBigint(parsed) ? ROUNDED : parsed;
}

const ROUNDED = 'the schema contains an integer beyond 2^53, which the validator would round';

function hasBigint(value: Json): boolean {
  if (typeof value === 'bigint') return true;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((inner: Json) => hasBigint(inner))
  );
}

async function checkAgainst(
  schema: JsonObject,
  output: string,
  tools: EvaluationTools,
): Promise<AssertionOutcome> {
  try {
    const { violations, notes } = await tools.checkSchema(schema, output);
    return {
      score: violations.length === 0 ? 1 : 0,
      message:
        violations.length === 0
          ? 'the output fits the schema'
          : `the output does not fit the schema: ${violations[0]!}`,
      expected: schema,
      actual: output,
      misses: violations,
      ...(notes.length === 0
        ? {}
        : { warnings: [{ code: 'schema_keyword', message: `in the JSON Schema: ${notes.join('; ')}` }] }),
    };
  } catch (error) {
    return unmeasured(`the output could not be checked against the schema: ${(error as Error).message}`);
  }
}
