import { extname } from '../../formats/path-names.ts';
import { isJsonList, isJsonObject, setOwn, type Json, type JsonObject } from '../../../base/model/json.ts';
import { printJson } from '../../../base/model/print-json.ts';
import { fieldOf, itemsOf, textOf, type ForeignValue } from '../foreign-value.ts';
import type { ConfigFiles } from './config-files.ts';
import { isCode, isPattern, parseFileReference } from './file-reference.ts';
import { optionOf, type AuthoredTest } from './read-tests.ts';
import type { Report } from './report.ts';

export interface TestVars {
  /** One object for each combination of list values. */
  readonly combinations: readonly JsonObject[];
  /** The names that tell the combinations apart. */
  readonly varying: readonly string[];
  /** Variables whose value cannot be had, and why. */
  readonly missing: ReadonlyMap<string, string>;
}

interface Reading {
  readonly files: ConfigFiles;
  readonly report: Report;
}

/** The variables of a test. A list of texts makes a test for each of its items. */
export function readVars({ layers }: AuthoredTest, reading: Reading): TestVars {
  const missing = new Map<string, string>();
  const fields = new Map<string, ForeignValue>();
  for (const layer of layers)
    for (const part of varParts(fieldOf(layer, 'vars'), reading))
      for (const [name, value] of Object.entries(part.value as JsonObject))
        fields.set(name, { value, path: [...part.path, name] });
  const isExpanded = optionOf(layers, 'disableVarExpansion')?.value !== true;
  let combinations: JsonObject[] = [{}];
  const varying: string[] = [];
  for (const [name, field] of fields) {
    const listed = isExpanded ? expanded(field.value, reading.files) : [field.value];
    const isTooMuch = combinations.length * listed.length > MOST_COMBINATIONS;
    if (isTooMuch)
      reading.report.lost(
        {
          what: `all but the first value of ${name}`,
          why: `the lists of this test make more than ${MOST_COMBINATIONS} combinations: put them in a file for \`each\``,
          from: field.path,
        },
        [],
      );
    const values = isTooMuch ? listed.slice(0, 1) : listed;
    if (values.length > 1) varying.push(name);
    const read = values.map((value) => readValue({ value, path: field.path }, reading));
    const problem = read.find((each) => 'why' in each);
    if (problem !== undefined) missing.set(name, (problem as { readonly why: string }).why);
    combinations = combinations.flatMap((combination) =>
      read.map((each) => {
        const next: Record<string, Json> = { ...combination };
        if ('value' in each) setOwn(next, name, each.value);
        return next;
      }),
    );
  }
  return { combinations, varying, missing };
}

const MOST_COMBINATIONS = 10_000;

/** `vars` is an object, a file with one, or a list of such files. */
function varParts(field: ForeignValue | undefined, reading: Reading): readonly ForeignValue[] {
  if (field === undefined) return [];
  if (isJsonList(field.value)) return itemsOf(field).flatMap((item) => varParts(item, reading));
  if (isJsonObject(field.value)) return [field];
  const path = parseFileReference(textOf(field) ?? '')?.path;
  const read = path === undefined ? { problem: 'it is not an object' } : reading.files.document(path);
  if ('value' in read && isJsonObject(read.value.value)) {
    reading.report.warn({
      code: 'vars_file',
      message: 'promptfoo 0.123 does not read this file, so its prompts have gaps; Assay uses its variables',
      from: field.path,
    });
    return [read.value];
  }
  const why = 'problem' in read ? read.problem : 'the file contains no object';
  reading.report.lost({ what: 'vars', why, from: field.path, value: field.value }, []);
  return [];
}

/** A list of texts, or the files that a pattern matches. */
function expanded(value: Json, files: ConfigFiles): readonly Json[] {
  if (isTextList(value)) return value;
  const path = typeof value === 'string' ? parseFileReference(value)?.path : undefined;
  const found = path !== undefined && isPattern(path) ? files.matching(path) : [];
  return found.length === 0 ? [value] : found.map((each) => `file://${each}`);
}

/** promptfoo looks at the first item only. */
function isTextList(value: Json): value is readonly Json[] {
  return isJsonList(value) && typeof value[0] === 'string';
}

function readValue(
  { value, path: from }: ForeignValue,
  { files, report }: Reading,
): { readonly value: Json } | { readonly why: string } {
  if (typeof value !== 'string') return { value };
  if (isDate(value, from, files))
    report.warn({
      code: 'yaml_date',
      message: 'promptfoo reads this as a date and sends "[object Object]"; Assay sends the text',
      from,
      hint: 'put it in quotes',
    });
  const path = parseFileReference(value)?.path;
  if (path === undefined) return { value };
  if (isPattern(path)) return { why: `no file matches ${path}` };
  if (isCode(path)) return { why: `${path} is code, which is not executed: write its value` };
  if (MEDIA.test(path)) return { why: `${path} is not a string` };
  const text = files.text(path);
  if (text === undefined) return { why: `${path} is not a text file of this project that can be read` };
  if (!/^\.ya?ml$/i.test(extname(path))) return { value: text.trim() };
  const document = files.document(path);
  return 'problem' in document ? { why: document.problem } : { value: printJson(document.value.value) };
}

const MEDIA =
  /\.(?:pdf|png|jpe?g|gif|webp|bmp|svg|tiff?|ico|avif|hei[cf]|mp[34]|wav|ogg|webm|mov|avi|m4a|flac)$/i;

/** A date in YAML that is not in quotes. */
function isDate(value: string, from: ForeignValue['path'], files: ConfigFiles): boolean {
  return /^\d{4}-\d\d?-\d\d?(?:[Tt\s]|$)/.test(value) && files.isPlainScalar(from);
}
