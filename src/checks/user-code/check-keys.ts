import { closest, quoteName } from '../../base/schema/did-you-mean.ts';
import { EvaluatorFileError } from './evaluator-file-error.ts';

const SCRIPT_KEYS = ['name', 'doc', 'schema', 'timeout_ms', 'example', 'evaluate'] as const;
const PYTHON_KEYS = ['schema', 'timeout_ms', 'example'] as const;

/** Words that people use for a key, but that are not close to its spelling. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  timeout: 'timeout_ms',
  timeout_s: 'timeout_ms',
  timeout_seconds: 'timeout_ms',
  fields: 'schema',
  parameters: 'schema',
  params: 'schema',
  config: 'schema',
  description: 'doc',
  type: 'name',
  id: 'name',
};

/** What is not a key of a definition would be ignored: a schema that checks nothing. Throws an EvaluatorFileError. */
export function checkScriptKeys(definition: object, name: string): void {
  const prototype: unknown = Object.getPrototypeOf(definition);
  // An instance of a class may have fields of its own.
  if (prototype !== Object.prototype && prototype !== null) return;
  for (const key of Object.keys(definition))
    if (!(SCRIPT_KEYS as readonly string[]).includes(key))
      throw new EvaluatorFileError(
        `${quoteName(key)} is not a key of an evaluator (${quoteName(name)}): ${hint(key, SCRIPT_KEYS)}`,
      );
}

/** A function may have any attributes: only those are errors that look like one of ours. */
export function checkPythonAttributes(attributes: readonly string[], name: string): void {
  for (const key of attributes) {
    if ((PYTHON_KEYS as readonly string[]).includes(key)) continue;
    if (meantBy(key, PYTHON_KEYS) !== undefined)
      throw new EvaluatorFileError(
        `${quoteName(`${name}.${key}`)} is not an attribute of an evaluator: ${hint(key, PYTHON_KEYS)}`,
      );
    if (key === 'name' || key === 'doc')
      throw new EvaluatorFileError(
        `${quoteName(`${name}.${key}`)} has no effect: rename the function, or write a docstring`,
      );
  }
}

function hint(key: string, known: readonly string[]): string {
  const meant = meantBy(key, known);
  return meant === undefined
    ? `remove it, or use one of ${known.map(quoteName).join(', ')}`
    : `did you mean ${quoteName(meant)}?`;
}

function meantBy(key: string, known: readonly string[]): string | undefined {
  const word = key.toLowerCase();
  const other = Object.hasOwn(OTHER_WORDS, word) ? OTHER_WORDS[word] : undefined;
  return other !== undefined && known.includes(other) ? other : closest(key, known);
}
