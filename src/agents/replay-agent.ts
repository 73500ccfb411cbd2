import type { Json } from '../model/json.ts';
import type { AttemptRecord, ErrorKind, StepRecord } from '../model/record.ts';
import type { Reply } from '../model/reply.ts';
import { AgentError, type Agent } from './contract.ts';
import { REPLY_FIELDS } from './reply-fields.ts';

/** Answers as a recorded attempt did, step by step: nothing is called. */
export function createReplayAgent({ target, steps }: AttemptRecord): Agent {
  return {
    name: target,
    workers: 1,
    modelCalls: 'none',
    async open() {
      let step = 0;
      return {
        async send() {
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
        async close() {},
      };
    },
    async close() {},
  };
}

/** Has no reply to give, and says why. */
export function createSilentAgent(name: string, reason: string, kind: ErrorKind = 'outdated'): Agent {
  return {
    name,
    workers: 1,
    open: () => Promise.reject(new AgentError(kind, reason)),
    async close() {},
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
  };
}

function toReply(step: StepRecord): Json {
  const said = REPLY_FIELDS.map((field) => [field, step[field]] as const);
  return Object.fromEntries(said.filter(([, value]) => value !== undefined)) as unknown as Json;
}
