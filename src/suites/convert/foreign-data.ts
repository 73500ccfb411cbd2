import { MATCHERS } from '../../base/match/matchers/registry.ts';
import { isJsonList, isJsonObject, setOwn, type Json, type JsonObject } from '../../base/model/json.ts';

/** A converted suite in which nothing of the other tool is read as a matcher: there, `{$gte: 18}` is data. */
export function withForeignData(document: JsonObject): JsonObject {
  return fieldsOf(document, { variablesToo: variablesHaveNames(document) });
}

/** A value of another tool, to compare with. */
export function foreignData(value: Json, options: Options = { variablesToo: false }): Json {
  if (isJsonList(value)) return value.map((item) => foreignData(item, options));
  if (typeof value === 'string')
    return options.variablesToo && ONE_VARIABLE.test(value) ? { $literal: value } : value;
  if (!isJsonObject(value)) return value;
  if (hasMatcherName(value)) return { $literal: value };
  return mapFields(value, (_key, inner) => foreignData(inner, options));
}

interface Options {
  /** A variable may stand for a mapping that looks like a matcher. */
  readonly variablesToo: boolean;
}

const ONE_VARIABLE = /^\{\{[^{}]*\}\}$/;

/** What the agent gets, and what nothing is compared with. A JSON Schema has no matchers. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'input',
  'input_messages',
  'memory',
  'metadata',
  'vars',
  'each',
  'schema',
  'config',
]);

function fieldsOf(object: JsonObject, options: Options): JsonObject {
  return mapFields(object, (key, value) => {
    if (NOT_COMPARED.has(key)) return value;
    if (key === 'args' || key === 'equals') return foreignData(value, options);
    if (key === 'expected_output' || key === 'expected_messages') return foreignData(value);
    return below(value, options);
  });
}

function below(value: Json, options: Options): Json {
  if (isJsonList(value)) return value.map((item) => below(item, options));
  return isJsonObject(value) ? fieldsOf(value, options) : value;
}

function mapFields(object: JsonObject, change: (key: string, value: Json) => Json): JsonObject {
  const changed: Record<string, Json> = {};
  for (const key of Object.keys(object)) setOwn(changed, key, change(key, object[key]!));
  return changed;
}

/** One such name is enough: beside other names it would be an error. */
function hasMatcherName(object: JsonObject): boolean {
  return Object.keys(object).some((key) => MATCHERS.has(key));
}

function variablesHaveNames(document: JsonObject): boolean {
  const cases = document['evalcases'];
  return [document, ...(isJsonList(cases) ? cases : [])].some(
    (each) => isJsonObject(each) && [each['vars'], each['each']].some(hasNamesInside),
  );
}

function hasNamesInside(value: Json | undefined): boolean {
  if (isJsonList(value)) return value.some(hasNamesInside);
  return isJsonObject(value) && (hasMatcherName(value) || Object.values(value).some(hasNamesInside));
}
