import type { SeenCalls } from '../../evidence/observe/observation.ts';
import type { JsonObject } from '../../base/model/json.ts';
import { AgentSetupError } from '../agent-setup-error.ts';
import { AgentError } from '../contract.ts';
import type { HostFailure, SendAnswer } from './messages.ts';

/** Code of users can write to the pipe too. */
export function isSendAnswer(answer: JsonObject): answer is JsonObject & SendAnswer {
  return typeof answer['output'] === 'string' && Array.isArray(answer['watched']);
}

/** Throws what the host says about a call that failed. */
export function valueOf(
  answer: JsonObject,
  observedOf?: (failure: HostFailure) => SeenCalls | undefined,
): JsonObject {
  const failure = answer['error'] as HostFailure | undefined;
  if (failure === undefined) return answer;
  const { kind, message, output = '', retryAfterMs, isRateLimit, refusedStatus } = failure;
  if (kind === 'setup') throw new AgentSetupError(message);
  throw new AgentError(kind, message, {
    printed: output,
    retryAfterMs,
    ...(isRateLimit !== undefined && { isRateLimit }),
    refusedStatus,
    observed: observedOf?.(failure),
  });
}
