import { AgentError } from '../contract.ts';
import type { CodingProgram } from './coding-program.ts';

interface Failure {
  /** What happened, without the name of the program: "exited with code 1". */
  readonly what: string;
  /** What the program said about it. */
  readonly said: string;
  readonly printed: string;
}

/** The error of a program that failed: not logged in, a busy or unreachable model API, or anything else. */
export function programFailure(
  { program, login, loggedOut }: CodingProgram,
  { what, said, printed }: Failure,
): AgentError {
  const words = said.trim();
  if (loggedOut.test(words) || WRONG_KEY.test(words))
    return new AgentError('config', `${program} is not logged in: ${login}\n${shorten(words)}`, {
      printed,
      refusedStatus: 401,
    });
  const message = `${program} ${what}${words === '' ? ' and said nothing' : `:\n${words}`}`;
  const status = BUSY.exec(words)?.[1];
  if (status === undefined && !UNREACHABLE.test(words)) return new AgentError('agent', message, { printed });
  return new AgentError('infrastructure', message, {
    printed,
    isRateLimit: status === '429' || status === '529',
  });
}

const WRONG_KEY =
  /invalid (?:x-)?api[- ]key|incorrect api key|api key not valid|authentication_error|invalid_api_key/i;
/** As each of them writes the status of a model API: `API Error: 529`, `unexpected status 503`, `"code":429`. */
const BUSY = /\b(?:api error|status|code)\W{1,4}(429|5\d\d)\b/i;
const UNREACHABLE = /\b(?:ECONNRESET|ECONNREFUSED|ETIMEDOUT|connection (?:refused|reset))\b/i;

function shorten(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length <= 300 ? line : `${line.slice(0, 299)}…`;
}
