/** `file://checks.py:polite`: a file, and the function in it if one is named. */
export interface FileReference {
  readonly path: string;
  readonly member?: string | undefined;
}

const CODE = /\.(?:[cm]?[jt]s|jsx|tsx|py|rb|go)$/i;

/** Undefined for a text that does not start with `file://`. */
export function parseFileReference(text: string): FileReference | undefined {
  if (!text.startsWith('file://')) return undefined;
  const rest = text.slice('file://'.length).replace(/^\.\//, '');
  const named = /^(.*\.\w+):([\w.]+)$/.exec(rest);
  if (named !== null && CODE.test(named[1]!)) return { path: named[1]!, member: named[2] };
  return { path: rest };
}

export function isScript(path: string): boolean {
  return /\.(?:[cm]?js|jsx|[cm]?ts|tsx)$/i.test(path);
}

export function isPython(path: string): boolean {
  return /\.py$/i.test(path);
}

export function isCode(path: string): boolean {
  return CODE.test(path);
}

export function isPattern(path: string): boolean {
  return /[*?[\]{}]/.test(path);
}
