import { isRecognised } from '../evidence/recognise.ts';
import { isJsonObject, type Json } from '../base/model/json.ts';
import { DuplicateKeyError, parseStrictJson } from '../base/model/parse-strict-json.ts';
import { describe } from '../base/schema/values.ts';
import { AgentError, type RawReply } from './contract.ts';
import type { HttpResponse } from './http-exchange.ts';
import { describePage } from './html-page.ts';
import { eventsIn } from '../evidence/reply/events-in-text.ts';
import { describeNoAnswer, hasAnswer } from '../evidence/reply/no-answer.ts';
import { parseReplyText } from '../evidence/reply/parse-reply-text.ts';
import { readPrintedReply } from '../evidence/reply/read-printed-reply.ts';

/** A response that is the reply itself: JSON with an answer, or a text. Anything else is a contract error that says what came. */
export function readWholeResponse(response: HttpResponse): RawReply {
  const read = isJson(response) ? asWhole(readJsonResponse(response)) : readText(response);
  const body = read.reply!;
  if (typeof body === 'string' || isRecognised(body)) return read;
  if (!isJsonObject(body)) throw unusable(`the response is ${describe(body)}`);
  if (!hasAnswer(body)) throw unusable(`the response ${describeNoAnswer(body)}`);
  return read;
}

function asWhole(reply: Json): RawReply {
  return { reply, printed: '' };
}

export function readJsonResponse(response: HttpResponse): Json {
  refuseEmpty(response);
  const { text } = response;
  try {
    return parseStrictJson(text);
  } catch (error) {
    if (error instanceof DuplicateKeyError)
      throw new AgentError('contract', `the response cannot be read: ${error.message}`);
    const page = describePage(text, response.contentType);
    if (page !== undefined) throw unusable(`the response is ${page}, not JSON`);
    throw new AgentError(
      'contract',
      `the response is not JSON (${(error as Error).message}): ${start(text)}`,
    );
  }
}

function isJson({ contentType }: HttpResponse): boolean {
  return /[/+]json$/.test(contentType);
}

function readText(response: HttpResponse): RawReply {
  refuseEmpty(response);
  const { text, contentType } = response;
  const parsed = parseReplyText(text) ?? eventsIn(text);
  if (parsed !== undefined) return asWhole(parsed);
  const page = describePage(text, contentType);
  if (page !== undefined) throw unusable(`the response is ${page}, not a reply`);
  const isText = contentType === '' || contentType.startsWith('text/');
  if (contentType === 'text/event-stream')
    throw unusable(`the response is a stream of events in a form that Assay does not know: ${start(text)}`);
  if (!isText) throw unusable(`the response is ${contentType}, which is not a reply: ${start(text)}`);
  return readProse(text);
}

/** Text over HTTP follows the rules of printed text: an error alone, half a reply or two replies are refused. */
function readProse(text: string): RawReply {
  try {
    const read = readPrintedReply(text, { verb: 'sent', printed: '' });
    const warning = read.warning && {
      ...read.warning,
      message: read.warning.message.replace('printed', 'sent'),
      hint: 'send the reply and nothing else',
    };
    // A program ends its last line; a text that was sent is what it is.
    return typeof read.reply === 'string' ? { reply: text, printed: '', warning } : { ...read, warning };
  } catch (error) {
    if (!(error instanceof AgentError) || error.kind !== 'contract') throw error;
    throw unusable(error.message.split('\n')[0]!);
  }
}

/** Some succeed without an answer: the work goes on elsewhere, or there is nothing to say. */
function refuseEmpty({ status, text }: HttpResponse): void {
  if (status === 202) throw unusable('the response is 202 Accepted: there is no answer yet');
  if (status === 206)
    throw unusable('the response is 206 Partial Content: only a part of the answer arrived');
  if (text.trim() === '') throw unusable(`the response is empty (status ${status})`);
}

function unusable(problem: string): AgentError {
  return new AgentError('contract', `${problem}\n${HINT}`);
}

const HINT =
  'send `output` from the endpoint, or set where the answer is with `reply: { output: path.to.it }` in the target';

function start(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= 200 ? trimmed : `${trimmed.slice(0, 200)}…`;
}
