import type { UnwantedPart } from '../../../base/model/reply-requirements.ts';
import type { OracleReply } from '../oracle/oracle-reply.ts';
import { jsonOutputMutations } from './json-output-mutations.ts';
import { measureMutations } from './measure-mutations.ts';
import { memoryMutations } from './memory-mutations.ts';
import type { MutationFamily } from './mutation.ts';
import { outputMutations } from './output-mutations.ts';
import { toolMutations } from './tool-mutations.ts';
import { unwantedMutations } from './unwanted-mutations.ts';

/** Those that break most come first: the check of a test ends when nothing is left to break. */
const FAMILIES: readonly MutationFamily[] = [
  outputMutations,
  toolMutations,
  memoryMutations,
  unwantedMutations,
  measureMutations,
  jsonOutputMutations,
];

export interface MutatedReplies {
  readonly name: string;
  /** The replies of all steps; one of them is changed. */
  readonly replies: readonly OracleReply[];
}

/** The replies of a test with one thing changed in one step, in every possible way. */
export function* mutate(
  replies: readonly OracleReply[],
  unwanted: readonly (readonly UnwantedPart[])[],
): Generator<MutatedReplies> {
  for (const family of FAMILIES)
    for (const [step, reply] of replies.entries())
      for (const { name, reply: changed } of family(reply, unwanted[step] ?? []))
        yield { name, replies: replies.with(step, changed) };
}
