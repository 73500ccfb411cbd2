import type { Replies } from '../../agents/contract.ts';
import type { Json } from '../../base/model/json.ts';
import type { OracleReply } from './oracle/oracle-reply.ts';

/** Answers the steps of one test with prepared replies. */
export function scriptedReplies(replies: readonly OracleReply[]): Replies {
  return () => {
    let step = 0;
    return { send: () => ({ reply: toReply(replies[step++]!), printed: '' }), close() {} };
  };
}

function toReply({ said, calls, ...reply }: OracleReply): Json {
  const contents = [...said, reply.output];
  const output_messages = contents.map((content) => ({ role: 'assistant', content }));
  // It reports everything: which tools it used, and how long each call took.
  const tool_calls = calls.map((call) => ({ duration_ms: 1, ...call }));
  const tools_used = calls.map(({ tool }) => tool);
  return { ...reply, tool_calls, tools_used, output_messages } as unknown as Json;
}
