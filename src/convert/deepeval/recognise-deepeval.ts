import { isJsonList, isJsonObject, ownValue, type Json } from '../../model/json.ts';
import type { SniffedFile } from '../contract.ts';

/** Goldens: a list of them as JSON, or a CSV with the columns of DeepEval. */
export function recognisesDeepeval({ path, text, value }: SniffedFile): boolean {
  if (/\.csv$/i.test(path)) return isHeader(/^\uFEFF?([^\r\n]*)/.exec(text)?.[1] ?? '');
  const goldens = goldenList(value);
  return goldens !== undefined && goldens.length > 0 && goldens.every(isGolden);
}

/** A list, or an object with `goldens`. */
export function goldenList(value: Json | undefined): readonly Json[] | undefined {
  const list = isJsonObject(value) ? ownValue(value, 'goldens') : value;
  return isJsonList(list) ? list : undefined;
}

function isGolden(item: Json): boolean {
  if (!isJsonObject(item)) return false;
  const names = new Set(Object.keys(item).map(snakeCase));
  if (['assert', 'steps', 'expected', 'evaluators'].some((name) => names.has(name))) return false;
  if (names.has('scenario'))
    return ['turns', 'expected_outcome', 'user_description'].some((name) => names.has(name));
  return (
    names.has('input') && [...ONLY_DEEPEVAL, 'expected_output', 'context'].some((name) => names.has(name))
  );
}

/** Names that hardly another tool uses. */
const ONLY_DEEPEVAL = [
  'actual_output',
  'retrieval_context',
  'tools_called',
  'expected_tools',
  'source_file',
  'additional_metadata',
  'user_description',
];

function isHeader(line: string): boolean {
  const names = new Set(line.split(/[,;]/).map((name) => snakeCase(name.replaceAll('"', '').trim())));
  const hasInput = names.has('input') || names.has('scenario');
  return hasInput && ONLY_DEEPEVAL.some((name) => names.has(name));
}

function snakeCase(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
}
