import { printJson } from '../model/print-json.ts';
import { AgentError } from './contract.ts';

/** JSON of what an agent is sent. Bigints are rare and JSON.stringify is much the faster one. */
export function printRequest(request: unknown): string {
  try {
    return JSON.stringify(request);
  } catch (error) {
    if (error instanceof TypeError) return printJson(request);
    throw new AgentError('limit', 'the request is nested too deep to be sent', { cause: error });
  }
}
