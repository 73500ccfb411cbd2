import type { Agent } from '../../agents/contract.ts';
import { createReplayAgent, createSilentAgent } from '../../agents/replay-agent.ts';
import type { AttemptRecord } from '../../model/record.ts';

/** Replies as it did. Replies that came although a fault did not happen stay what they are: about nothing. */
export function recordedAgent(record: AttemptRecord): Agent {
  const { error, target } = record;
  return error?.kind === 'fault'
    ? createSilentAgent(target, error.message, 'fault')
    : createReplayAgent(record);
}
