import type { UnwantedPart } from '../../../base/model/reply-requirements.ts';
import type { OracleReply } from '../oracle/oracle-reply.ts';

/** A reply with one thing changed. */
export interface Mutation {
  /** What was changed, in a few words. */
  readonly name: string;
  readonly reply: OracleReply;
}

/** Changes of one kind, created on demand: most tests need only the first few. */
export type MutationFamily = (
  reply: OracleReply,
  unwanted: readonly UnwantedPart[],
) => Generator<Mutation, void, undefined>;
