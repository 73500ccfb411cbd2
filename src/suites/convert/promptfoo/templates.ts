import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../../base/model/json.ts';

/** A text, or the path of a variable: `user.name`. */
type Part = string | { readonly name: string };

/** A Nunjucks template that has only variables in it. */
export interface Template {
  readonly parts: readonly Part[];
}

/** What a template cannot be converted for. */
export interface Unsupported {
  readonly why: string;
}

const PLAIN_NAME = /^\s*([A-Za-z_$][\w$]*(?:\.[\w$]+|\[\d+\]|\[(?:'[^'\]]*'|"[^"\]]*")\])*)\s*$/;

/** Reads a Nunjucks template. */
export function parseTemplate(text: string): Template | Unsupported {
  const tag = /\{[%#]/.exec(text);
  if (tag !== null)
    return beyond(text.slice(tag.index, tag.index + 40).split(/[%#]\}/)[0] + TAG_ENDS[tag[0]]!);
  const parts: Part[] = [];
  let end = 0;
  for (;;) {
    const start = text.indexOf('{{', end);
    if (start === -1) return { parts: [...parts, text.slice(end)].filter((part) => part !== '') };
    const close = text.indexOf('}}', start + 2);
    // promptfoo takes a text with braces that nothing closes as it is.
    if (close === -1) return { parts: [text] };
    const inner = text.slice(start + 2, close);
    const name = PLAIN_NAME.exec(inner)?.[1];
    if (name === undefined) return beyond(`{{${inner}}}`);
    if (/^_conversation\b/.test(name))
      return { why: `\`${name}\` (the conversation so far) has no counterpart` };
    parts.push(text.slice(end, start), { name: name.replaceAll(/\[['"]?([^\]'"]*)['"]?\]/g, '.$1') });
    end = close + 2;
  }
}

const TAG_ENDS: Readonly<Record<string, string>> = { '{%': '%}', '{#': '#}' };

function beyond(what: string): Unsupported {
  return { why: `it uses Nunjucks beyond plain variables: ${what}` };
}

export function namesOf({ parts }: Template): readonly string[] {
  return parts.flatMap((part) => (typeof part === 'string' ? [] : [part.name]));
}

/** As promptfoo prints it. Names that do not exist become nothing. */
export function render({ parts }: Template, vars: JsonObject): string {
  return parts.map((part) => (typeof part === 'string' ? part : printed(lookUp(vars, part.name)))).join('');
}

/** The same template for Assay, where `\{{` is a literal brace. */
export function toOwnTemplate({ parts }: Template): string {
  return parts
    .map((part, index) => {
      if (typeof part !== 'string') return `{{${part.name}}}`;
      const escaped = part.replaceAll(/\\*\{\{/g, (braces) => `${'\\'.repeat(2 * (braces.length - 2))}\\{{`);
      // Backslashes before a variable would escape it.
      const isBeforeName = index + 1 < parts.length;
      return isBeforeName ? escaped.replace(/\\+$/, (slashes) => slashes.repeat(2)) : escaped;
    })
    .join('');
}

export function lookUp(vars: JsonObject, name: string): Json | undefined {
  let value: Json | undefined = vars;
  for (const segment of name.split('.')) {
    if (isJsonObject(value ?? null)) value = ownValue(value as JsonObject, segment);
    else if (isJsonList(value ?? null) && /^\d+$/.test(segment))
      value = (value as readonly Json[])[Number(segment)];
    else return undefined;
  }
  return value;
}

/** Nunjucks prints with JavaScript's rules. */
function printed(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (isJsonList(value)) return value.map(printed).join(',');
  return isJsonObject(value) ? '[object Object]' : String(value);
}
