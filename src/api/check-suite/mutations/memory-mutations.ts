import type { JsonObject } from '../../../base/model/json.ts';
import { jsonChanges } from './json-changes.ts';
import type { MutationFamily } from './mutation.ts';

/** Memory emptied, each of its values changed or removed, and one added. */
export const memoryMutations: MutationFamily = function* (reply) {
  if (Object.keys(reply.memory).length > 0) yield { name: 'memory emptied', reply: { ...reply, memory: {} } };
  for (const { what, where, value } of jsonChanges(reply.memory))
    if (where !== '')
      yield { name: `${where} of memory ${what}`, reply: { ...reply, memory: value as JsonObject } };
};
