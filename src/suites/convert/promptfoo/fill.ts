import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import {
  lookUp,
  namesOf,
  parseTemplate,
  render,
  toOwnTemplate,
  type Template,
  type Unsupported,
} from './templates.ts';
import { unsetVariable, type Variables } from './variables.ts';

/** Turns the templates of one test into texts, or into templates of Assay. */
export interface Fill {
  /** A text with variables. */
  text(text: string): { readonly text: string } | Unsupported;
  /** Data in which promptfoo fills in nothing. */
  data(value: Json): Json;
  /** The values that code gets. */
  vars(names: readonly string[]): JsonObject;
}

export interface FillContext {
  /** Names that only exist while promptfoo runs, such as those of `storeOutputAs`. */
  readonly stored: ReadonlySet<string>;
  /** A name that no test defines. */
  readonly onUndefined: (name: string) => void;
}

/** Writes the values themselves. */
export function fillValues(vars: Variables, context: FillContext): Fill {
  const { values, env } = vars;
  const scope = { ...values, env };
  return {
    text(text) {
      const template = usable(text, vars, context);
      if ('why' in template) return template;
      for (const name of namesOf(template)) if (lookUp(scope, name) === undefined) context.onUndefined(name);
      return { text: render(template, scope) };
    },
    data: (value) => value,
    vars: (names) => Object.fromEntries(names.map((name) => [name, values[name] ?? null])),
  };
}

/** Keeps the variables: each row of the test has its own values. */
export function fillTemplates(vars: Variables, context: FillContext): Fill {
  return {
    text(text) {
      const template = usable(text, vars, context);
      return 'why' in template ? template : { text: toOwnTemplate(template) };
    },
    data: escapeBraces,
    vars: (names) => Object.fromEntries(names.map((name) => [name, `{{${name}}}`])),
  };
}

function usable(text: string, { unusable, env }: Variables, { stored }: FillContext): Template | Unsupported {
  const template = parseTemplate(text);
  if ('why' in template) return template;
  const unset = unsetVariable(template, env);
  if (unset !== undefined) return unset;
  for (const name of namesOf(template)) {
    const root = name.split('.')[0]!;
    const why = unusable.get(root);
    if (why !== undefined) return { why: `the variable ${root} has no value: ${why}` };
    if (stored.has(root)) return { why: `${root} is the output of another test (\`storeOutputAs\`)` };
  }
  return template;
}

function escapeBraces(value: Json): Json {
  if (typeof value === 'string') return toOwnTemplate({ parts: [value] });
  if (isJsonList(value)) return value.map(escapeBraces);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escapeBraces(item)]));
}
