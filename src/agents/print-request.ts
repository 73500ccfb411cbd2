import { printJson } from '../base/model/print-json.ts';
import { AgentError } from './contract.ts';

/** JSON of an agent's request. Bigints are rare, and JSON.stringify is much faster. */
export function printRequest(request: unknown): string {
  try {
    return JSON.stringify(request);
  } catch (error) {
    if (error instanceof TypeError) return printJson(request);
    throw tooDeepError(error);
  }
}

export function tooDeepError(cause: unknown): AgentError {
  return new AgentError('limit', 'the request is nested too deeply to send', { cause });
}
