import { extname } from '../../formats/path-names.ts';
import { isJsonList, type Json } from '../../../base/model/json.ts';
import { fieldOf, type ForeignValue } from '../foreign-value.ts';
import type { ConfigFiles } from './config-files.ts';
import { splitValues } from './csv-assertions.ts';
import type { Fill } from './fill.ts';
import { isCode, parseFileReference } from './file-reference.ts';
import type { Unsupported } from './templates.ts';

export interface ValueContext {
  readonly fill: Fill;
  readonly files: ConfigFiles;
}

/** The `value` of an assertion: templates are filled in, files are read. Undefined if there is none. */
export function readValue(
  assertion: ForeignValue,
  { fill, files }: ValueContext,
): { readonly value: Json | undefined } | Unsupported {
  const field = fieldOf(assertion, 'value');
  if (field === undefined) return { value: undefined };
  if (isJsonList(field.value)) {
    const items = field.value.map((item) => readText(item, { fill, files }));
    const problem = items.find((item) => 'why' in item);
    return problem !== undefined && 'why' in problem
      ? problem
      : { value: items.map((item) => (item as { readonly value: Json }).value) };
  }
  return readText(field.value, { fill, files });
}

function readText(value: Json, { fill, files }: ValueContext): { readonly value: Json } | Unsupported {
  if (typeof value !== 'string') return { value: fill.data(value) };
  const reference = parseFileReference(value);
  if (reference === undefined) {
    const filled = fill.text(value);
    return 'why' in filled ? filled : { value: filled.text };
  }
  const { path } = reference;
  if (isCode(path)) return { why: `${path} is code that makes the value: write the value` };
  if (/^\.(?:json|ya?ml)$/i.test(extname(path))) {
    const document = files.document(path);
    return 'problem' in document ? { why: document.problem } : { value: fill.data(document.value.value) };
  }
  const text = files.text(path);
  return text === undefined
    ? { why: `${path} is not a text file of this project that can be read` }
    : { value: fill.data(text.trim()) };
}

/** A text or a number as a text. */
export function asText(value: Json | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : undefined;
}

/** A list, or texts with commas between them. */
export function asTexts(value: Json | undefined): readonly string[] | undefined {
  if (typeof value === 'string') return splitValues(value);
  if (value === undefined || !isJsonList(value)) return undefined;
  const texts = value.map((item) => (typeof item === 'boolean' ? String(item) : asText(item)));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}
