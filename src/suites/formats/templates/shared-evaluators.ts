import type { AssertionKinds } from '../../../checks/contract/assertion-kinds.ts';
import type { Assertion } from '../../../base/model/assertion.ts';
import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../../base/model/json.ts';
import type { PathSegment } from '../../../base/model/place.ts';
import { Reader } from '../../../base/schema/reader.ts';
import { hasBraces } from '../../../base/schema/template.ts';
import { TemplateFiller } from './fill-test.ts';

/** The evaluators that a file gives to all of its tests, for the test at the reader. */
export type SharedEvaluators = (test: Reader) => readonly Assertion[];

export interface AuthoredEvaluators {
  readonly list: Json;
  readonly path: readonly PathSegment[];
}

/** The lists of evaluators in a file that may contain templates, and the file without them. */
export interface EvaluatorTemplates {
  readonly plain: Json;
  /** The list that counts for tests without evaluators of their own. */
  readonly defaults?: AuthoredEvaluators;
  /** Lists that are added to those of every test. */
  readonly added: readonly AuthoredEvaluators[];
}

const DEFAULTS = [['execution', 'evaluators'], ['evaluators']];
const ADDED = [['assert'], ['assertions'], ['execution', 'assert'], ['execution', 'assertions']];

export function evaluatorTemplates(file: Json): EvaluatorTemplates {
  const defaults = findTemplates(file, DEFAULTS);
  const added = [findTemplates(file, [['default_test', 'assert']]), findTemplates(file, ADDED)].filter(
    (list) => list !== undefined,
  );
  const plain = [...(defaults === undefined ? [] : [defaults]), ...added].reduce(
    (rest, { path }) => without(rest, path),
    file,
  );
  return { plain, added, ...(defaults === undefined ? {} : { defaults }) };
}

/** The first of some lists that is there, if it has braces. */
function findTemplates(file: Json, paths: readonly (readonly string[])[]): AuthoredEvaluators | undefined {
  for (const path of paths) {
    const list = path.reduce<Json>(
      (value, key) => (isJsonObject(value) ? (ownValue(value, key) ?? null) : null),
      file,
    );
    if (list !== null) return containsBraces(list) ? { list, path } : undefined;
  }
  return undefined;
}

function without(value: Json, [first, ...others]: readonly PathSegment[]): Json {
  const { [first as string]: inner, ...rest } = value as JsonObject;
  return others.length === 0 ? rest : { ...rest, [first as string]: without(inner!, others) };
}

/** Reads evaluators with the variables of each test. Tests without variables share one reading of the plain text. */
export function createSharedEvaluators(
  { list, path }: AuthoredEvaluators,
  { source, isAgentv }: Pick<Reader, 'source' | 'isAgentv'>,
  kinds: AssertionKinds,
): SharedEvaluators {
  let plain: readonly Assertion[] | undefined;
  return (test) => {
    if (test.vars === undefined && plain !== undefined) return plain;
    const reader = new Reader(source, path);
    reader.vars = test.vars;
    reader.isAgentv = isAgentv;
    const filled =
      test.vars === undefined ? list : new TemplateFiller(test.vars, reader, kinds).evaluators(list);
    const evaluators = reader.errorCount > 0 ? [] : (kinds.evaluatorList.read(filled, reader) ?? []);
    test.add(reader);
    if (test.vars === undefined) plain = evaluators;
    return evaluators;
  };
}

/** Whether a text or a key in it has braces. */
export function containsBraces(value: Json): boolean {
  if (typeof value === 'string') return hasBraces(value);
  if (isJsonList(value)) return value.some(containsBraces);
  return isJsonObject(value) && Object.entries(value).some((field) => field.some(containsBraces));
}
