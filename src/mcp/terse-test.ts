import type { Json, JsonObject } from '../base/model/json.ts';

/** A test as `assay show --json` prints it. */
export type ShownTest = JsonObject & { readonly id: string };

/** A client can read the file, and pays for each character: places are left out, and what has its default value. */
const DEFAULTS: Readonly<Record<string, Json>> = { weight: 1, required: false, negate: false };
const PLACES = new Set(['places', 'column', 'form', 'row']);

/** A test as its author would write it, on few lines. What is the author's own data stays as it is. */
export function terseTest({ steps, ...test }: ShownTest): string {
  if (!Array.isArray(steps)) return JSON.stringify(terse(test));
  // The messages of the test are those of its steps.
  const { input_messages: _input, expected_messages: _expected, ...own } = test;
  const lines = steps.map((step, index) => `step ${index + 1}: ${JSON.stringify(terse(step as JsonObject))}`);
  return [JSON.stringify(terse(own)), ...lines].join('\n');
}

function terse(part: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(part)
      .filter(([key, value]) => !PLACES.has(key) && !(Array.isArray(value) && value.length === 0))
      .map(([key, value]) =>
        key === 'assertions' && Array.isArray(value)
          ? [key, value.map((assertion) => terseAssertion(assertion as JsonObject))]
          : [key, value],
      ),
  );
}

function terseAssertion(assertion: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(assertion).filter(
      ([key, value]) =>
        !PLACES.has(key) && DEFAULTS[key] !== value && !(key === 'name' && value === assertion['kind']),
    ),
  );
}
