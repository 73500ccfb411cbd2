/** The languages that an evaluator may be written in. */
const CODE = String.raw`\.(?:[cm]?[jt]s|py)`;
const REFERENCE = new RegExp(`^(?<file>[^#\\n]+${CODE})#(?<name>[^#\\s]+)$`, 'i');

export interface EvaluatorReference {
  readonly file: string;
  readonly name: string;
}

/** The parts of `./check.ts#tone`; undefined for anything else. */
export function splitReference(type: string): EvaluatorReference | undefined {
  return REFERENCE.exec(type)?.groups as EvaluatorReference | undefined;
}

export function isEvaluatorFile(path: string): boolean {
  return new RegExp(`${CODE}$`, 'i').test(path);
}

/** What to do about a type that looks like a file, but is not a reference to an evaluator. */
export function explainReference(type: string): string | undefined {
  if (isEvaluatorFile(type)) return `name the evaluator in the file: ${type}#name`;
  if (!/^\.{0,2}\/|[^/]\/[^/]+\.\w+(?:#|$)|\.\w+#/.test(type)) return undefined;
  return 'an evaluator in a file is written as ./checks.ts#name: the file ends in .ts, .js, .mts, .mjs, .cts, .cjs or .py';
}
