import { parseJson } from '../../src/base/model/parse-json.ts';

/** JSON that Assay wrote: integers beyond 2^53 are bigints, so that the page shows none rounded. */
export function parseExactJson(text: string): unknown {
  return parseJson(text, { maxDepth: Infinity });
}
