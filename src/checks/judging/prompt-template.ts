import type { Json, JsonObject } from '../../base/model/json.ts';
import { quoteName } from '../../base/schema/did-you-mean.ts';
import type { Schema } from '../../base/schema/schema.ts';
import {
  createVariables,
  fillTemplate,
  hasBraces,
  namesIn,
  type Variables,
} from '../../base/schema/template.ts';
import { text } from '../../base/schema/values.ts';
import { fillTemplate as fillOwnVariables, type FilledTemplate } from './fill-template.ts';

/** A prompt of a test with variables: the judge's own ones are known only when it is asked. */
interface PromptTemplate {
  readonly template: string;
  readonly vars: JsonObject;
}

export type AuthoredPrompt = string | PromptTemplate;

export function templateOf(prompt: AuthoredPrompt): string {
  return typeof prompt === 'string' ? prompt : prompt.template;
}

interface PromptOptions {
  readonly label?: string;
  /** The judge's own variables. They win over those of the test. */
  readonly own: readonly string[];
  /** The prompt names a file: what is in it is not known yet. */
  readonly isFile: (prompt: string) => boolean;
}

/** A prompt, with the variables of the test it belongs to. */
export function promptSchema({ label, own, isFile }: PromptOptions): Schema<AuthoredPrompt> {
  const schema = text({ nonEmpty: true, ...(label === undefined ? {} : { label }) });
  return {
    ...schema,
    read(value, reader) {
      const template = schema.read(value, reader);
      const { vars } = reader;
      if (template === undefined || vars === undefined) return template;
      if (isFile(template)) return { template, vars };
      if (!hasBraces(template)) return template;
      const names = [...new Set(namesIn(template))];
      const used = createVariables(vars);
      fillTemplate(template, withOwn(used, new Map(own.map((name) => [name, '']))), (problem) =>
        reader.error(problem),
      );
      for (const name of names)
        if (own.includes(name) && used.find(name) !== undefined) reader.warning(shadowed(name));
      return { template, vars: pick(vars, names) };
    },
  };
}

export function shadowed(name: string): { code: string; message: string; hint: string } {
  return {
    code: 'shadowed_variable',
    message: `in a judge's prompt, ${quoteName(name)} is the judge's own variable, not the one of \`vars\``,
    hint: 'rename the variable of the test',
  };
}

/** The prompt with everything filled in. Without `vars`, only the judge's own variables mean something. */
export function fillPrompt(
  template: string,
  own: ReadonlyMap<string, string>,
  vars: JsonObject | undefined,
): FilledTemplate {
  if (vars === undefined) return fillOwnVariables(template, own);
  const used = new Set<string>();
  const unknown: string[] = [];
  const variables = withOwn(createVariables(vars), own, used);
  const filled = fillTemplate(template, variables, ({ message }) => unknown.push(message));
  return { text: filled as string, used, unknown };
}

function withOwn(
  variables: Variables,
  own: ReadonlyMap<string, string>,
  used = new Set<string>(),
): Variables {
  return {
    find(name) {
      const value = own.get(name);
      if (value === undefined) return variables.find(name);
      used.add(name);
      return value;
    },
    explain: (name) => variables.explain(name),
  };
}

/** What a prompt does not name does not change its result. */
function pick(vars: JsonObject, names: readonly string[]): JsonObject {
  const roots = new Set(names.flatMap((name) => [name, name.split('.')[0]!]));
  return Object.fromEntries(Object.entries(vars).filter(([name]) => roots.has(name))) as Record<string, Json>;
}
