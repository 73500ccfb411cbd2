import type { AssertionKinds } from '../../assertions/contract/assertion-kinds.ts';
import type { Assertion } from '../../model/assertion.ts';
import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../model/json.ts';
import type { PathSegment } from '../../model/place.ts';
import { Reader, type Source } from '../../schema/reader.ts';
import { given } from '../../schema/refine.ts';
import { hasBraces } from '../../schema/template.ts';
import { TemplateFiller } from './fill-test.ts';

/** The evaluators that a file gives to all of its tests, for the test at the reader. */
export type SharedEvaluators = (test: Reader) => readonly Assertion[];

export interface AuthoredEvaluators {
  readonly list: Json;
  readonly path: readonly PathSegment[];
}

/** The list of evaluators in a file that counts, if it may contain templates. */
export function evaluatorTemplates(file: Json): AuthoredEvaluators | undefined {
  const execution = isJsonObject(file) ? ownValue(file, 'execution') : undefined;
  for (const [parent, above] of [
    [execution, ['execution']],
    [file, []],
  ] as const) {
    const name = ['evaluators', 'assertions'].find((each) => given(parent ?? null, each));
    if (name === undefined) continue;
    const list = (parent as JsonObject)[name]!;
    return containsBraces(list) ? { list, path: [...above, name] } : undefined;
  }
  return undefined;
}

/** The file without these evaluators. */
export function withoutEvaluators(
  file: JsonObject,
  { path: [first, second] }: AuthoredEvaluators,
): JsonObject {
  const { [first as string]: inner, ...others } = file;
  if (second === undefined) return others;
  const { [second as string]: _evaluators, ...rest } = inner as JsonObject;
  return { ...others, [first as string]: rest };
}

/** Reads evaluators with the variables of each test. Tests without variables share one reading of the plain text. */
export function createSharedEvaluators(
  { list, path }: AuthoredEvaluators,
  source: Source,
  kinds: AssertionKinds,
): SharedEvaluators {
  let plain: readonly Assertion[] | undefined;
  return (test) => {
    if (test.vars === undefined && plain !== undefined) return plain;
    const reader = new Reader(source, path);
    reader.vars = test.vars;
    const filled =
      test.vars === undefined ? list : new TemplateFiller(test.vars, reader, kinds).evaluators(list);
    const evaluators = reader.errorCount > 0 ? [] : (kinds.evaluatorList.read(filled, reader) ?? []);
    test.add(reader);
    if (test.vars === undefined) plain = evaluators;
    return evaluators;
  };
}

function containsBraces(value: Json): boolean {
  if (typeof value === 'string') return hasBraces(value);
  if (isJsonList(value)) return value.some(containsBraces);
  return isJsonObject(value) && Object.values(value).some(containsBraces);
}
