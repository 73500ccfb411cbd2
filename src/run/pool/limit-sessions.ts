import { AgentError, type Agent, type Session } from '../../agents/contract.ts';
import { AdaptiveLimit } from './adaptive-limit.ts';

export interface SessionLimits {
  /** The most sessions at once. */
  readonly most: number;
  /** The run's signal: when it aborts, callers stop waiting for a session. */
  readonly signal: AbortSignal;
}

/**
 * Wraps an agent so that at most this many sessions are open at once, and fewer while it reports overload: for
 * agents that share the workers of a run, or that can be overloaded.
 */
export function limitSessions(agent: Agent, { most, signal }: SessionLimits): Agent {
  const limit = new AdaptiveLimit(most);
  return {
    ...agent,
    close: () => agent.close(),
    async open(test, options) {
      await limit.acquire(signal);
      options?.onTurn?.();
      try {
        return watch(await agent.open(test, options), limit);
      } catch (error) {
        limit.release();
        throw error;
      }
    },
  };
}

function watch(session: Session, limit: AdaptiveLimit): Session {
  return {
    async send(request, signal) {
      try {
        const answer = await session.send(request, signal);
        limit.clean();
        return answer;
      } catch (error) {
        if (isRateLimit(error)) limit.tooMuch();
        throw error;
      }
    },
    async close() {
      try {
        await session.close();
      } finally {
        limit.release();
      }
    },
  };
}

function isRateLimit(error: unknown): boolean {
  if (!(error instanceof AgentError)) return false;
  return error.isRateLimit || (error.kind === 'infrastructure' && error.retryAfterMs !== undefined);
}
