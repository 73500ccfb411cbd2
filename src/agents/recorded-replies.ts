import type { Json } from '../base/model/json.ts';
import type { AttemptRecord, ErrorKind, StepRecord } from '../base/model/record.ts';
import type { Reply } from '../base/model/reply.ts';
import { AgentError, type Replies } from './contract.ts';
import { REPLY_FIELDS } from '../evidence/reply/reply-fields.ts';

/**
 * Answers as a recorded attempt did, step by step: nothing is called. Replies that came although a fault did not happen stay what they
 * are: about nothing.
 */
export function recordedReplies({ steps, error }: AttemptRecord): Replies {
  if (error?.kind === 'fault') return noReplies(error.message, 'fault');
  return () => {
    let step = 0;
    return {
      send() {
        const recorded = steps[step++];
        if (recorded === undefined) throw new AgentError('agent', `step ${step} was not recorded`);
        if (recorded.error !== undefined && recorded.output === undefined)
          throw new AgentError(recorded.error.kind, recorded.error.message, {
            refusedStatus: recorded.error.refused_status,
            printed: recorded.printed ?? '',
          });
        return {
          reply: toReply(recorded),
          printed: recorded.printed ?? '',
          unreported: recorded.trace_gap,
          recorded: otherSources(recorded),
        };
      },
      close() {},
    };
  };
}

/** There are none, and this is why. */
export function noReplies(reason: string, kind: ErrorKind = 'outdated'): Replies {
  return () => {
    throw new AgentError(kind, reason);
  };
}

function otherSources({
  trace_gap,
  unreported_calls,
  observed_calls,
  doubts,
  harmless,
  evidence,
  models,
  model_calls,
  usage_complete,
  time_to_first_token_ms,
  timeline,
  approvals_asked,
  unfinished,
}: StepRecord): Partial<Reply> {
  return {
    trace_gap,
    unreported_calls,
    observed_calls,
    doubts,
    harmless,
    evidence,
    models,
    model_calls,
    usage_complete,
    time_to_first_token_ms,
    timeline,
    approvals_asked,
    unfinished,
  };
}

function toReply(step: StepRecord): Json {
  const said = REPLY_FIELDS.map((field) => [field, step[field]] as const);
  return Object.fromEntries(said.filter(([, value]) => value !== undefined)) as unknown as Json;
}
