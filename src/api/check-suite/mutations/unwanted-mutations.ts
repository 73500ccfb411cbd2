import type { UnwantedPart } from '../../../base/model/reply-requirements.ts';
import { withValue } from '../oracle/oracle-memory.ts';
import type { OracleReply } from '../oracle/oracle-reply.ts';
import type { MutationFamily } from './mutation.ts';

/** A reply with something that must be absent: a forbidden tool, a text that `negate` refuses. */
export const unwantedMutations: MutationFamily = function* (reply, unwanted) {
  for (const part of unwanted) yield { name: 'something unwanted added', reply: added(reply, part) };
};

function added(
  reply: OracleReply,
  { text, replaces, calls = [], memory, messages }: UnwantedPart,
): OracleReply {
  const { output, said } = reply;
  return {
    ...reply,
    output: text === undefined ? output : replaces === true ? text : `${output} ${text}`,
    calls: [...reply.calls, ...calls],
    memory: memory === undefined ? reply.memory : withValue(reply.memory, memory),
    said: messages === undefined ? said : [...said, ...Array.from({ length: messages }, () => '')],
  };
}
