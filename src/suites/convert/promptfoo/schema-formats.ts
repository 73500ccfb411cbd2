import { isJsonList, isJsonObject, type Json } from '../../../base/model/json.ts';

/** The formats that a JSON Schema asks for. promptfoo checks them; in Assay they are notes. */
export function formatsIn(schema: Json): readonly string[] {
  if (isJsonList(schema)) return schema.flatMap(formatsIn);
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'format' && typeof value === 'string' ? [value] : formatsIn(value),
  );
}
