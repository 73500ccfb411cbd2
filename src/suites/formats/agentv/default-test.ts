import { isJsonObject, ownValue, type Json } from '../../../base/model/json.ts';
import type { SchemaProblem } from '../../../base/schema/reader.ts';
import { parseDocument } from '../document.ts';
import type { CaseFiles } from './case-files.ts';

/** The file with what `default_test: file://...` names in its place. */
export function withDefaultTest(
  authored: Json,
  from: string,
  files: CaseFiles | undefined,
): { readonly value: Json; readonly problem?: SchemaProblem } {
  const reference = isJsonObject(authored) ? ownValue(authored, 'default_test') : undefined;
  if (!isJsonObject(authored) || typeof reference !== 'string' || !/^file:\/\/(?!.*\{\{)/.test(reference))
    return { value: authored };
  const { default_test: _, ...value } = authored;
  const opened = files?.open(reference, from);
  const file = opened !== undefined && 'files' in opened ? opened.files[0] : undefined;
  if (file === undefined) {
    const message =
      opened !== undefined && 'code' in opened
        ? opened.message
        : 'it can only be read together with the suite';
    return { value, problem: { code: 'default_test', message: `the file of \`default_test\`: ${message}` } };
  }
  const document = parseDocument(file.path, file.text, 'core');
  const wrong = document.findings.find(({ severity }) => severity === 'error');
  if (!('source' in document) || wrong !== undefined || !isJsonObject(document.value)) {
    const why = wrong === undefined ? 'it must contain an object' : `line ${wrong.line}: ${wrong.message}`;
    return { value, problem: { code: 'default_test', message: `${file.path} cannot be used: ${why}` } };
  }
  return { value: { ...authored, default_test: document.value } };
}
