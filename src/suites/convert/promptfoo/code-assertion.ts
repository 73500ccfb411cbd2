import type { JsonObject } from '../../../base/model/json.ts';
import { fieldOf, given, textOf, type ForeignValue } from '../foreign-value.ts';
import type { AssertionContext } from './assertions.ts';
import { isPython, isScript, parseFileReference } from './file-reference.ts';

/** A `javascript` or `python` assertion: an evaluator in a file that is generated. */
export function codeCheck(
  assertion: ForeignValue,
  language: 'javascript' | 'python',
  { checks, files, fill, varNames, isScored }: AssertionContext,
): { readonly evaluator: JsonObject } | { readonly why: string } {
  const value = textOf(fieldOf(assertion, 'value'));
  if (value === undefined || value.trim() === '') return { why: 'it has no code' };
  const file = parseFileReference(value);
  let made: { readonly type: string } | { readonly why: string };
  let neededVars = varNames;
  if (file === undefined) {
    const code = /\{[{%#]/.test(value) ? fill.text(value) : { text: value };
    if ('why' in code) return code;
    made =
      language === 'javascript' ? checks.script({ inline: code.text }) : checks.python({ inline: code.text });
    // Code that does not look at its context needs no variables.
    neededVars = /\bcontext\b/.test(value) ? varNames : [];
  } else {
    if (files.text(file.path) === undefined)
      return { why: `${file.path} is not a file of this project that can be read` };
    if (isScript(file.path)) made = checks.script({ file });
    else if (isPython(file.path)) made = checks.python({ file });
    else return { why: 'custom evaluators are JavaScript, TypeScript or Python' };
  }
  if ('why' in made) return made;
  const threshold = fieldOf(assertion, 'threshold')?.value;
  const config = fieldOf(assertion, 'config')?.value;
  return {
    evaluator: given({
      type: made.type,
      vars: neededVars.length === 0 ? undefined : fill.vars(neededVars),
      config: config === undefined ? undefined : fill.data(config),
      threshold: typeof threshold === 'number' ? threshold : undefined,
      scored: isScored ? true : undefined,
      // In promptfoo code that throws has failed. Here it could not be measured, but hides no failure.
      yields: true,
    }),
  };
}
