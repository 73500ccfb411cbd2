import { AgentError } from './contract.ts';

/** The error of a step whose signal was aborted. The caller knows why; its reason is the cause. */
export function stoppedError(signal: AbortSignal, printed = ''): AgentError {
  return new AgentError('timeout', 'the agent was stopped before it replied', {
    printed,
    cause: signal.reason,
  });
}
