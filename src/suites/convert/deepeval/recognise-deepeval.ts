import { isJsonList, isJsonObject, ownValue, type Json } from '../../../base/model/json.ts';
import type { SniffedFile } from '../contract.ts';

/** Goldens: a list of them as JSON, one in each line, or a CSV with the columns of DeepEval. */
export function recognisesDeepeval({ path, text, value }: SniffedFile): boolean {
  if (/\.csv$/i.test(path)) return isHeader(/^\uFEFF?([^\r\n]*)/.exec(text)?.[1] ?? '');
  // A line of ours has an id.
  if (/\.jsonl$/i.test(path))
    return isJsonObject(value) && !Object.hasOwn(value, 'id') && isGolden(value) && isCertain(value);
  const goldens = /\.json$/i.test(path) ? goldenList(value) : undefined;
  if (goldens === undefined || goldens.length === 0) return false;
  // One bad item in a file of DeepEval is reported when it is converted.
  return (
    goldens.every(isGolden) ||
    (goldens.some(isCertain) && goldens.filter(isGolden).length * 2 > goldens.length)
  );
}

/** A list, or an object with `goldens`. */
export function goldenList(value: Json | undefined): readonly Json[] | undefined {
  const list = isJsonObject(value) ? ownValue(value, 'goldens') : value;
  return isJsonList(list) ? list : undefined;
}

/** A step test with a misspelled key is not one: names that other tools use too must be the only ones. */
function isGolden(item: Json): boolean {
  if (!isJsonObject(item)) return false;
  const names = Object.keys(item).map(snakeCase);
  const isKnown = names.every((name) => SHARED_NAMES.has(name) || ONLY_DEEPEVAL.has(name));
  return (
    (names.includes('input') || names.includes('scenario')) &&
    (isCertain(item) || (isKnown && names.length > 1))
  );
}

function isCertain(item: Json): boolean {
  return isJsonObject(item) && Object.keys(item).some((name) => ONLY_DEEPEVAL.has(snakeCase(name)));
}

/** Names that hardly another tool uses. */
const ONLY_DEEPEVAL: ReadonlySet<string> = new Set([
  'actual_output',
  'retrieval_context',
  'tools_called',
  'expected_tools',
  'source_file',
  'additional_metadata',
  'user_description',
  'scenario',
  'turns',
]);
const SHARED_NAMES: ReadonlySet<string> = new Set([
  'input',
  'expected_output',
  'expected_outcome',
  'context',
  'name',
  'comments',
]);

function isHeader(line: string): boolean {
  const names = new Set(line.split(/[,;]/).map((name) => snakeCase(name.replaceAll('"', '').trim())));
  const hasInput = names.has('input') || names.has('scenario');
  return hasInput && [...names].some((name) => ONLY_DEEPEVAL.has(name));
}

function snakeCase(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
}
