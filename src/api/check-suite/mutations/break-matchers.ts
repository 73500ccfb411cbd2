import { jsonEqual } from '../../../base/match/json-equal.ts';
import type { JsonObject } from '../../../base/model/json.ts';
import type { MatcherBreak } from '../../../base/model/reply-requirements.ts';
import { without, withValue } from '../oracle/oracle-memory.ts';
import type { OracleReply } from '../oracle/oracle-reply.ts';

/** A reply with one value changed so that one matcher does not hold. */
export function breakMatcher(reply: OracleReply, { output, memory, call }: MatcherBreak): OracleReply {
  return {
    ...reply,
    output: output ?? reply.output,
    memory: memory === undefined ? reply.memory : changedMemory(reply.memory, memory),
    calls:
      call === undefined
        ? reply.calls
        : reply.calls.map((made) =>
            made.tool === call.tool && made.input !== undefined && jsonEqual(made.input, call.from)
              ? { ...made, input: call.to }
              : made,
          ),
  };
}

function changedMemory(memory: JsonObject, { path, value }: NonNullable<MatcherBreak['memory']>): JsonObject {
  if (path === undefined) return (value ?? {}) as JsonObject;
  return value === undefined ? without(memory, path.split('.')) : withValue(memory, { path, value });
}
