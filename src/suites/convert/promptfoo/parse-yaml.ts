import { parseForeign } from './js-numbers.ts';
import type { Json } from '../../../base/model/json.ts';

/** A text that may be YAML. */
export function parseYaml(text: string): Json | undefined {
  const document = parseForeign('text.yaml', text);
  return 'source' in document ? document.value : undefined;
}
