import { publishedSchemas } from '../load/published-schemas.ts';
import { configJsonSchema } from './config-json-schema.ts';

/** The JSON Schemas of every file that people write, by name. */
export function editorSchemas() {
  return { ...publishedSchemas(), config: configJsonSchema() } as const;
}

export type EditorSchema = keyof ReturnType<typeof editorSchemas>;
