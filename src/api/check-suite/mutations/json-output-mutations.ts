import { tryParseJson } from '../../../base/model/parse-json.ts';
import type { Json } from '../../../base/model/json.ts';
import { printJson } from '../../../base/model/print-json.ts';
import { jsonChanges } from './json-changes.ts';
import type { MutationFamily } from './mutation.ts';

/** A JSON output with one value changed, removed or added: still JSON. */
export const jsonOutputMutations: MutationFamily = function* (reply) {
  const value = structured(reply.output);
  if (value === undefined) return;
  for (const change of jsonChanges(value))
    yield {
      name: `${change.where} of the output ${change.what}`,
      reply: { ...reply, output: printJson(change.value) },
    };
};

function structured(output: string): Json | undefined {
  const value = tryParseJson(output);
  return typeof value === 'object' && value !== null ? value : undefined;
}
