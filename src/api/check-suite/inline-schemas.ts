import type { Assertion } from '../../model/assertion.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { parseJson } from '../../model/parse-json.ts';
import type { Test } from '../../model/test.ts';

/** A file that an assertion names; undefined when it cannot be read. */
export type ReadText = (path: string) => string | undefined;

/** The test with the JSON Schemas of files written out, so that what they ask for is known. */
export function withInlineSchemas(test: Test, readText: ReadText): Test {
  const names = [...test.steps.flatMap((step) => step.assertions), ...test.assertions];
  if (!names.some(hasSchema)) return test;
  const inline = (list: readonly Assertion[]): readonly Assertion[] =>
    list.map((assertion) => (hasSchema(assertion) ? withInline(assertion, readText) : assertion));
  return {
    ...test,
    steps: test.steps.map((step) => ({ ...step, assertions: inline(step.assertions) })),
    assertions: inline(test.assertions),
  };
}

function hasSchema({ kind, parameters: { schema, evaluators } }: Assertion): boolean {
  if (kind === 'is_json') return typeof schema === 'string';
  return Array.isArray(evaluators) && (evaluators as unknown as readonly Assertion[]).some(hasSchema);
}

function withInline(assertion: Assertion, readText: ReadText): Assertion {
  const { schema, evaluators } = assertion.parameters;
  const changed: JsonObject = Array.isArray(evaluators)
    ? {
        evaluators: (evaluators as unknown as readonly Assertion[]).map((inner) =>
          hasSchema(inner) ? withInline(inner, readText) : inner,
        ) as unknown as Json,
      }
    : readSchema(schema as string, readText);
  return { ...assertion, parameters: { ...assertion.parameters, ...changed } };
}

/** One that cannot be used stays a name: the run says what is wrong with it. */
function readSchema(path: string, readText: ReadText): JsonObject {
  try {
    const schema = parseJson(readText(path) ?? '');
    return isJsonObject(schema) ? { schema } : {};
  } catch {
    return {};
  }
}
