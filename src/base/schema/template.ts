import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../model/json.ts';
import { printJson } from '../model/print-json.ts';
import { didYouMean, quoteName } from './did-you-mean.ts';

/** The values that names in a template stand for. */
export interface Variables {
  /** Undefined for an unknown name. */
  find(name: string): Json | undefined;
  /** Why there is no such name. */
  explain(name: string): string;
}

export interface TemplateProblem {
  readonly code: 'unknown_variable' | 'template';
  readonly message: string;
  readonly hint: string;
}

/** A `{{name}}`, a `{{` that nothing closes, or one with backslashes before it. */
const BRACES = /(\\+)\{\{|\{\{(?!\{)(?:([^{}]*)\}\})?/g;

export function hasBraces(text: string): boolean {
  return text.includes('{{');
}

/**
 * Replaces each `{{name}}` by its value, in one pass: values are inserted as they are and never read as templates. A
 * text that is exactly one `{{name}}` becomes the value itself, with its type. `\{{` stands for `{{`.
 */
export function fillTemplate(
  text: string,
  variables: Variables,
  report: (problem: TemplateProblem) => void,
): Json {
  if (!hasBraces(text)) return text;
  let filled = '';
  let end = 0;
  BRACES.lastIndex = 0;
  for (let match = BRACES.exec(text); match !== null; match = BRACES.exec(text)) {
    const [braces, backslashes, written] = match;
    filled += text.slice(end, match.index);
    end = BRACES.lastIndex;
    if (backslashes !== undefined) {
      filled += backslashes.slice(0, backslashes.length / 2);
      // Two backslashes stand for one, as everywhere: then the braces are not escaped.
      if (backslashes.length % 2 === 1) filled += '{{';
      else end = BRACES.lastIndex -= 2;
      continue;
    }
    const name = written?.trim() ?? '';
    const value = name === '' ? undefined : variables.find(name);
    if (value === undefined) report(name === '' ? unclosed(braces) : unknownVariable(name, variables));
    else if (braces.length === text.length) return value;
    else filled += insertedText(value);
  }
  return filled + text.slice(end);
}

/** The names in a template, in order. */
export function namesIn(text: string): readonly string[] {
  const names: string[] = [];
  const note = (name: string): Json => {
    names.push(name);
    return '';
  };
  fillTemplate(text, { find: note, explain: () => '' }, () => undefined);
  return names;
}

function insertedText(value: Json): string {
  return typeof value === 'string' ? value : printJson(value);
}

function unclosed(braces: string): TemplateProblem {
  return {
    code: 'template',
    message: braces === '{{' ? '`{{` is never closed by `}}`' : `\`${braces}\` contains no variable name`,
    hint: NOT_A_TEMPLATE,
  };
}

const NOT_A_TEMPLATE = 'where `vars` or `each` is given, write `\\{{` for braces that are text';

function unknownVariable(name: string, variables: Variables): TemplateProblem {
  return {
    code: 'unknown_variable',
    message: `there is no variable ${quoteName(name)}`,
    hint: /^[\p{L}\p{N}_$. -]+$/u.test(name)
      ? variables.explain(name)
      : `templates contain names only, such as \`{{city}}\` or \`{{user.name}}\`; ${NOT_A_TEMPLATE}`,
  };
}

/**
 * The variables of a test: a name is a key, or a path of keys and positions with dots between them. `vars.name` is the
 * same as `name`, as in AgentV.
 */
export function createVariables(vars: JsonObject): Variables {
  const find = (name: string): Json | undefined =>
    Object.hasOwn(vars, name) ? vars[name] : findPath(vars, name.split('.'));
  return {
    find(name) {
      const value = find(name);
      return value === undefined && name.startsWith('vars.') ? find(name.slice('vars.'.length)) : value;
    },
    explain: (name) => explainUnknown(vars, name),
  };
}

function findPath(vars: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = vars;
  for (const segment of path) {
    if (isJsonObject(value)) value = ownValue(value, segment);
    else if (isJsonList(value) && /^\d+$/.test(segment)) value = value[Number(segment)];
    else return undefined;
  }
  return value;
}

function explainUnknown(vars: JsonObject, name: string): string {
  const dot = name.lastIndexOf('.');
  const parent = dot === -1 ? undefined : findPath(vars, name.slice(0, dot).split('.'));
  const known = [
    ...Object.keys(vars),
    ...(isJsonObject(parent) ? Object.keys(parent).map((key) => `${name.slice(0, dot)}.${key}`) : []),
  ];
  if (known.length === 0) return 'no variables are given here';
  const shown = known.slice(0, MOST_SHOWN).map(quoteName).join(', ');
  return didYouMean(name, known) ?? `the variables are ${shown}${known.length > MOST_SHOWN ? ', ...' : ''}`;
}

const MOST_SHOWN = 20;
