export interface FilledTemplate {
  readonly text: string;
  readonly used: ReadonlySet<string>;
  /** Names in braces that stand for nothing. They are left as they are. */
  readonly unknown: readonly string[];
}

/** Puts values in the place of `{{ name }}`, in one pass: what a value holds is never read as a template. */
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
