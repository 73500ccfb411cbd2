import { parseDocument } from '../../formats/document.ts';
import type { Json } from '../../model/json.ts';

/** A text that may be YAML. */
export function parseYaml(text: string): Json | undefined {
  const document = parseDocument('text.yaml', text, 'core');
  return 'source' in document ? document.value : undefined;
}
