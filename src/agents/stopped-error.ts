import { AgentError } from './contract.ts';

/** What a step ends with when its signal aborted. Who aborted knows why; its reason is the cause. */
export function stoppedError(signal: AbortSignal, printed = ''): AgentError {
  return new AgentError('timeout', 'the agent was stopped before it replied', {
    printed,
    cause: signal.reason,
  });
}
