import type { Finding } from '../../../base/model/finding.ts';
import { isJsonList, isJsonObject, type Json } from '../../../base/model/json.ts';
import { Reader, type Source } from '../../../base/schema/reader.ts';

/** `${{ NAME }}` and `{{ env.NAME }}`: AgentV replaces them by a variable of the environment. */
const REFERENCE = /\$\{\{\s*[A-Z_][A-Z0-9_]*\s*\}\}|(?<!\$)\{\{\s*env\.[A-Z_][A-Z0-9_]*\s*\}\}/;
/** Variables of the suite itself may have that name. */
const OWN_ENV = /\benv["']?\s*:/;

/**
 * Variables of the environment in a file of a release that fills them in. Here they are not: suites are data, and could send secrets
 * to anyone. In every other file they are text.
 */
export function environmentFindings(value: Json, source: Source, text: string): readonly Finding[] {
  if (!REFERENCE.test(text) || OWN_ENV.test(text) || !isOfNewerRelease(value)) return [];
  const reader = new Reader(source);
  reportAll(value, reader);
  return reader.findings;
}

/** Releases that fill variables in write `tests`; those before them write `evalcases`. */
function isOfNewerRelease(value: Json): boolean {
  return isJsonObject(value) && Object.hasOwn(value, 'tests');
}

function reportAll(value: Json, reader: Reader): void {
  if (typeof value === 'string') report(value, reader);
  else if (isJsonList(value)) for (const [index, item] of value.entries()) inside(index, item, reader);
  else if (isJsonObject(value)) for (const key of Object.keys(value)) inside(key, value[key]!, reader);
}

function inside(segment: string | number, value: Json, reader: Reader): void {
  reader.enter(segment);
  reportAll(value, reader);
  reader.leave();
}

function report(text: string, reader: Reader): void {
  const [reference] = REFERENCE.exec(text) ?? [];
  if (reference !== undefined)
    reader.unsupported({
      message: `variables of the environment (\`${reference}\`) are not filled in`,
      hint: 'write the value; in targets.yaml they are filled in',
    });
}
