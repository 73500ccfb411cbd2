import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import type { Finding } from '../model/finding.ts';
import { closest, quoteName } from '../schema/did-you-mean.ts';

/** Why a reply that could be read may not be what its author meant. */
export type ReplyDoubt = Pick<Finding, 'code' | 'message' | 'hint'>;

/** The fields of which one says what was answered. */
const ANSWER_FIELDS = ['output', 'text', 'output_messages'];
/** What others call it. */
const OTHER_NAMES = new Set(['answer', 'completion', 'content', 'message', 'reply', 'response', 'result']);

export function hasAnswer(reply: JsonObject): boolean {
  return ANSWER_FIELDS.some((field) => Object.hasOwn(reply, field));
}

/** An object without an answer has an empty output, which its author may not know when the answer has another name. */
export function doubtEmptyOutput(reply: Json | undefined): ReplyDoubt | undefined {
  const meant = findMisnamed(reply);
  if (meant === undefined) return undefined;
  return noOutput(meant, 'its output is empty');
}

/** Whatever a program prints is an answer, if only as plain text. */
export function doubtPlainText(text: string, parsed: Json | undefined): ReplyDoubt | undefined {
  if (parsed === undefined && /^\{\s*"/.test(text))
    return {
      code: 'broken_reply',
      message: 'what the agent printed begins like a JSON object and is none, so it is read as plain text',
      hint: 'print the whole object and nothing else on stdout; what is for people belongs on stderr',
    };
  const meant = findMisnamed(parsed);
  return meant === undefined ? undefined : noOutput(meant, 'it is read as plain text');
}

function noOutput({ key, field }: Misnamed, consequence: string): ReplyDoubt {
  return {
    code: 'no_output',
    message: `the reply has ${quoteName(key)}, but no \`output\`, \`text\` or \`output_messages\`, so ${consequence}`,
    hint: `did you mean \`${field}\`?`,
  };
}

interface Misnamed {
  readonly key: string;
  readonly field: string;
}

function findMisnamed(reply: Json | undefined): Misnamed | undefined {
  if (!isJsonObject(reply) || hasAnswer(reply)) return undefined;
  for (const key of Object.keys(reply)) {
    const field = OTHER_NAMES.has(key) ? 'output' : closest(key, ANSWER_FIELDS);
    if (field !== undefined) return { key, field };
  }
  return undefined;
}
