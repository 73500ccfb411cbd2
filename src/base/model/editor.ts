/** A place in a file on this machine. */
export interface EditorPlace {
  /** Absolute. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** The addresses by which editors open a file. */
export const EDITORS: Readonly<Record<string, string>> = {
  vscode: 'vscode://file{path}:{line}:{column}',
  cursor: 'cursor://file{path}:{line}:{column}',
  zed: 'zed://file{path}:{line}:{column}',
  idea: 'idea://open?file={path}&line={line}&column={column}',
};

export const DEFAULT_EDITOR = 'vscode';

/** The address for an editor by name, or for a template. Undefined: `off`, or nothing that may be an address. */
export function editorTemplate(editor: string): string | undefined {
  if (Object.hasOwn(EDITORS, editor)) return EDITORS[editor];
  return isTemplate(editor) ? editor : undefined;
}

/** Addresses of these kinds run code, or are not an editor's. */
const REFUSED = /^(?:javascript|vbscript|data|blob|file|about)$/i;

export function isTemplate(text: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1];
  return scheme !== undefined && !REFUSED.test(scheme) && text.includes('{path}');
}

/** `vscode://file/home/me/tests/a.yaml:12:3`. */
export function editorLink(template: string, { path, line, column }: EditorPlace): string {
  const slashed = path.replaceAll('\\', '/');
  const rooted = slashed.startsWith('/') ? slashed : `/${slashed}`;
  const values: Readonly<Record<string, string>> = {
    path: rooted.split('/').map(encodeSegment).join('/'),
    line: String(line),
    column: String(column),
  };
  return template.replaceAll(/\{(path|line|column)\}/g, (_, name: string) => values[name]!);
}

/** The drive of a path of Windows keeps its colon. */
function encodeSegment(segment: string): string {
  return /^[A-Za-z]:$/.test(segment) ? segment : encodeURIComponent(segment);
}
