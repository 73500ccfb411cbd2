export interface FilledTemplate {
  readonly text: string;
  readonly used: ReadonlySet<string>;
  /** Names in braces without a value. They are left as they are. */
  readonly unknown: readonly string[];
}

/** Replaces `{{ name }}` with its value, in one pass: a value is never read as a template. */
export function fillTemplate(template: string, values: ReadonlyMap<string, string>): FilledTemplate {
  const used = new Set<string>();
  const unknown = new Set<string>();
  const text = template.replaceAll(VARIABLE, (written, name: string) => {
    const value = values.get(name);
    (value === undefined ? unknown : used).add(name);
    return value ?? written;
  });
  return { text, used, unknown: [...unknown] };
}

export function hasVariables(text: string): boolean {
  return text.search(VARIABLE) !== -1;
}

const VARIABLE = /\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g;
