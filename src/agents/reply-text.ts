import { decodeUtf8, describeInvalidUtf8 } from '../base/match/decode-utf8.ts';
import type { Exited } from './agent-programs.ts';
import { AgentError } from './contract.ts';

/** A replaced character would be judged as an answer that nobody gave. */
export function notUtf8(bytes: Buffer, what: string, printed = ''): AgentError {
  const message = `${what} is not valid UTF-8: ${describeInvalidUtf8(bytes)}\nwrite UTF-8`;
  return new AgentError('contract', message, { printed });
}

/** What a program printed to stdout, which is its reply. */
export function printedReply(exited: Exited): string {
  refuseInvalid(exited);
  return exited.stdout;
}

export function refuseInvalid({ stderr, invalidStdout }: Exited): void {
  if (invalidStdout !== undefined) throw notUtf8(invalidStdout, 'what the agent printed', stderr);
}

export function replyText(bytes: Buffer, what: string, printed = ''): string {
  const decoded = decodeUtf8(bytes);
  if (!('text' in decoded)) throw notUtf8(bytes, what, printed);
  return decoded.text;
}
