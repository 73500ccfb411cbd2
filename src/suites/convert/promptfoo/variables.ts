import { setOwn, type Json, type JsonObject } from '../../../base/model/json.ts';
import { lookUp, namesOf, parseTemplate, render, type Template, type Unsupported } from './templates.ts';

/** The variables of a test with their values, and those whose value has no counterpart, with the reason. */
export interface Variables {
  readonly values: JsonObject;
  /** Variables of the environment that the config sets: `{{env.NAME}}`. */
  readonly env: JsonObject;
  readonly unusable: ReadonlyMap<string, string>;
}

/** A value may contain other variables. promptfoo fills them in before it fills in the prompt. */
export function resolveVariables(
  authored: JsonObject,
  { stored, env }: Pick<Scope, 'stored' | 'env'>,
): Variables {
  const values: Record<string, Json> = {};
  const unusable = new Map<string, string>();
  for (const name of Object.keys(authored)) {
    const resolved = resolve(authored[name]!, { all: authored, stored, env }, [name]);
    if ('why' in resolved) unusable.set(name, resolved.why);
    else setOwn(values, name, resolved.value);
  }
  return { values, env, unusable };
}

interface Scope {
  readonly all: JsonObject;
  /** Names of `storeOutputAs`. */
  readonly stored: ReadonlySet<string>;
  readonly env: JsonObject;
}

function resolve(
  value: Json,
  scope: Scope,
  chain: readonly string[],
): { readonly value: Json } | Unsupported {
  const { all, stored, env } = scope;
  if (typeof value !== 'string') return { value };
  // A last line feed is dropped.
  const text = value.replace(/\n$/, '');
  if (!/\{[{%#]/.test(text)) return { value: text };
  const template = parseTemplate(text);
  if ('why' in template) return template;
  const unset = unsetVariable(template, env);
  if (unset !== undefined) return unset;
  const roots = new Set(namesOf(template).map((name) => name.split('.')[0]!));
  roots.delete('env');
  const output = [...roots].find((root) => stored.has(root));
  if (output !== undefined) return { why: `${output} is the output of another test (\`storeOutputAs\`)` };
  // Names that do not exist stay as they are, and so does a variable that contains itself.
  if ([...roots].some((root) => !Object.hasOwn(all, root) || chain.includes(root))) return { value: text };
  const inner: Record<string, Json> = { env };
  for (const root of roots) {
    const found = resolve(all[root]!, scope, [...chain, root]);
    if ('why' in found) return found;
    setOwn(inner, root, found.value);
  }
  return { value: render(template, inner) };
}

/** The environment of the machine is not read: the result would differ from one to the other. */
export function unsetVariable(template: Template, env: JsonObject): Unsupported | undefined {
  const name = namesOf(template).find(
    (each) => each.startsWith('env.') && lookUp({ env }, each) === undefined,
  );
  return name === undefined ? undefined : { why: `it reads ${name} of the environment: write its value` };
}
