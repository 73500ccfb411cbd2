import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import { COMMON_FIELDS, type EvaluatorSchema } from '../../checks/contract/evaluator-kind.ts';
import { UNSUPPORTED_EVALUATORS } from '../../checks/contract/unsupported-evaluators.ts';
import { nearNames, swappedNames } from '../../base/schema/near-names.ts';
import { object } from '../../base/schema/object.ts';
import type { JsonSchema } from '../../base/schema/schema.ts';
import { withVariables } from '../../base/schema/templated.ts';

/** What an evaluator with certain values of `type` may say. */
interface TypedEvaluator {
  readonly title: string;
  readonly doc: string;
  readonly schema: EvaluatorSchema;
  readonly types: readonly string[];
}

/**
 * The JSON Schema of one evaluator. Its `type` decides which fields it has: with `if` and `then` an editor completes and checks
 * those of this type, where a choice of schemas would make it guess.
 */
export function evaluatorJsonSchema(kinds: AssertionKinds): JsonSchema {
  const typed = typedEvaluators(kinds);
  const known = typed.flatMap(({ types }) => types);
  return {
    title: 'evaluator',
    description: 'One evaluator: how an answer is judged.',
    // A text is a rubric. Both in one schema: between two, an editor would choose by what is there already.
    type: ['object', 'string'],
    minLength: 1,
    required: ['type'],
    properties: { type: typeJsonSchema(kinds, known) },
    allOf: [
      ...typed.map((each) => whenType(oneOfThese(each.types), fieldsJsonSchema(each))),
      whenType({ not: oneOfThese(known) }, customJsonSchema()),
    ],
  };
}

function whenType(type: JsonSchema, fields: JsonSchema): JsonSchema {
  return {
    if: { type: 'object', required: ['type'], properties: { type: { type: 'string', ...type } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: fields,
  };
}

/** Not `enum`: editors would propose and show these names too. */
function oneOfThese(names: readonly string[]): JsonSchema {
  return { pattern: `^(?:${names.join('|')})$` };
}

/**
 * Editors propose the names of Assay. The names of other tools, and those that a config registers, are accepted too: a schema
 * cannot know these, so it speaks only about a name that is one typing mistake away from one of ours.
 */
function typeJsonSchema({ evaluators }: AssertionKinds, known: readonly string[]): JsonSchema {
  const names = evaluators.map(({ kind }) => kind);
  const valid = [...new Set([...known, ...Object.keys(UNSUPPORTED_EVALUATORS)])];
  return {
    description:
      'The kind of evaluator: a name of this list, a name that the config registers, or `./checks.ts#name`.',
    anyOf: [
      { enum: names, enumDescriptions: evaluators.map(({ doc }) => doc) },
      { type: 'string', pattern: '\\S' },
    ],
    if: oneOfThese(valid),
    else: { allOf: names.flatMap(misspelled) },
  };
}

/**
 * Nobody registers a name of ours with two letters swapped: that is an error. A name with another letter may be registered, so
 * only editors speak about it: `deprecationMessage` is what they show, and what other readers of schemas ignore. Of a short name,
 * many words are one letter away, such as `post` of `cost`.
 */
function misspelled(name: string): readonly JsonSchema[] {
  const swapped = `(?:${swappedNames([name])})$`;
  const message = `Did you mean \`${name}\`?`;
  const error = { pattern: `^(?!${swapped})`, patternErrorMessage: `Unknown evaluator. ${message}` };
  if (name.length < 6) return [error];
  const warning = {
    if: { pattern: `^(?!${swapped})(?:${nearNames([name])})$` },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { deprecationMessage: `Not a type of Assay. ${message} If the config registers it, this is fine.` },
  };
  return [error, warning];
}

function fieldsJsonSchema({ title, doc, schema }: TypedEvaluator): JsonSchema {
  const { properties, ...rest } = schema.jsonSchema as { readonly properties: Record<string, JsonSchema> };
  const fields = Object.entries(properties).map(([name, field]) => {
    // The description is what editors show for the value.
    if (name === 'type') return [name, { description: doc }];
    return [name, schema.fields[name]?.verbatim === 'all' ? field : variableField(name, field)];
  });
  return {
    title,
    description: doc,
    ...withVariables(rest),
    properties: Object.fromEntries(fields) as object,
  };
}

function variableField(name: string, field: JsonSchema): JsonSchema {
  const { properties } = withVariables({ properties: { [name]: field } });
  return (properties as Readonly<Record<string, JsonSchema>>)[name]!;
}

/** Only the loader knows the fields of an evaluator that a config or a suite names. */
function customJsonSchema(): JsonSchema {
  const { jsonSchema } = object(COMMON_FIELDS, { what: 'an evaluator', unknown: 'config' });
  return {
    title: 'custom evaluator',
    description: 'One of your own evaluators.',
    ...withVariables(jsonSchema),
  };
}

/** Which schema reads which `type`, by the rules of the loader: each value belongs to one of them. */
function typedEvaluators({ evaluators, spellings }: AssertionKinds): readonly TypedEvaluator[] {
  const taken = new Set(evaluators.map(({ kind }) => kind));
  const free = (names: readonly string[]): readonly string[] => {
    const left = [...new Set(names)].filter(
      (name) => !taken.has(name) && !Object.hasOwn(UNSUPPORTED_EVALUATORS, name),
    );
    for (const name of left) taken.add(name);
    return left;
  };
  const foreign = spellings.map(({ names, doc, kind, schema, readsNegation }) => {
    const types = free(variants(names, { isNegatable: kind.isBinary || readsNegation }));
    return { title: names[0], doc, schema, types };
  });
  const own = evaluators.map(({ kind, doc, schema, isBinary }) => ({
    title: kind,
    doc,
    schema,
    types: [kind, ...free(variants([kind], { isNegatable: isBinary }))],
  }));
  return [...own, ...foreign].filter(({ types }) => types.length > 0);
}

/** With underscores or hyphens, and with `not-` before it. */
function variants(
  names: readonly string[],
  { isNegatable }: { readonly isNegatable: boolean },
): readonly string[] {
  const spelled = names.flatMap((name) => [name, name.replaceAll('_', '-'), name.replaceAll('-', '_')]);
  return isNegatable ? [...spelled, ...spelled.map((name) => `not-${name}`)] : spelled;
}
