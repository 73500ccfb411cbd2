import type { Finding } from '../../base/model/finding.ts';
import { isJsonObject, type Json } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { quoteName } from '../../base/schema/did-you-mean.ts';
import { findFailure, type Misnamed } from './no-answer.ts';

/** Why a readable reply may not be what its author meant. */
export type ReplyWarning = Pick<Finding, 'code' | 'message' | 'hint'>;

/**
 * An object without an answer that a program printed is an answer in JSON, unless its author only misnamed a field.
 */
export function noOutput({ key, field }: Misnamed): ReplyWarning {
  return {
    code: 'no_output',
    message: `the reply has ${quoteName(key)}, but no \`output\`, \`text\` or \`output_messages\`, so it is read as plain text`,
    hint: `did you mean \`${field}\`?`,
  };
}

/** The reply was found between other lines. */
export function mixedOutput(before: string, after: string): ReplyWarning {
  const where = [
    countLines(before) === 0 ? '' : `${describeCount(countLines(before))} before its reply`,
    countLines(after) === 0
      ? ''
      : `${describeCount(countLines(after))} after ${countLines(before) === 0 ? 'its reply' : 'it'}`,
  ];
  return {
    code: 'mixed_output',
    message: `the agent printed ${where.filter((part) => part !== '').join(' and ')}`,
    hint: 'print only the reply on stdout, and logs on stderr',
  };
}

/** Its answer may have nothing to do with the test. */
export function unreadInput(): ReplyWarning {
  return {
    code: 'unread_input',
    message: 'the program ended without reading its stdin, so it does not know the input of the test',
    hint: 'read the request from stdin: JSON with `input`; or pass it as an argument: `command_template: ./my-agent {PROMPT}`',
  };
}

/** Something in the text looks like a reply, but is not on its own line. */
export function brokenReply(): ReplyWarning {
  return {
    code: 'broken_reply',
    message:
      'the agent printed a reply object with other text on its line, so all of it is read as plain text',
    hint: 'print the reply on its own line, and logs on stderr',
  };
}

/** Lines of a batch that answer no test. */
export function unknownIds(ids: readonly string[]): ReplyWarning {
  const shown = ids.slice(0, 3).map((id) => JSON.stringify(id));
  const more = ids.length > 3 ? `, and ${ids.length - 3} more` : '';
  return {
    code: 'unknown_batch_id',
    message: `the batch answers ${ids.length === 1 ? 'a test' : `${ids.length} tests`} that the suite does not have: ${shown.join(', ')}${more}`,
    hint: 'write the `id` of a test into each line',
  };
}

/** An agent that failed may still send what it had. */
export function doubtError(reply: Json | undefined): ReplyWarning | undefined {
  if (!isJsonObject(reply)) return undefined;
  const key = findFailure(reply);
  if (key === undefined) return undefined;
  return {
    code: 'error_in_reply',
    message: `the reply contains an answer and reports a failure: ${quoteName(key)} is ${shorten(printJson(reply[key]!))}`,
    hint: 'let the agent fail, or leave the error out of its reply',
  };
}

function shorten(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 99)}…`;
}

function countLines(text: string): number {
  const lines = text.split(/\r\n|\n|\r/);
  return lines.filter((line) => line.trim() !== '').length;
}

function describeCount(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}
