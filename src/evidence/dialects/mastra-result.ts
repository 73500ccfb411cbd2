import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { addUsage } from '../../base/model/usage.ts';
import type { Entry, ResultEntry } from '../entry.ts';
import { listAt, objectAt, textAt, valueAt } from '../foreign-fields.ts';
import { aiSdkUsage } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withFailure } from '../unfinished-trace.ts';
import { readPart } from './ai-sdk-messages.ts';
import { resultsGivenBack } from './ai-sdk-result.ts';
import { objectDialect } from './dialect.ts';
import { assistantEntries, readPieces, type Pieces } from './pieces.ts';

/** What `agent.generate` of Mastra gives: steps as in the AI SDK, with calls and results in a `payload`. */
export const MASTRA_RESULT = objectDialect({ name: 'a Mastra result', isMarked, read: readResult });

function isMarked(value: JsonObject): boolean {
  const steps = listAt(value, 'steps');
  if (steps === undefined) return false;
  const isStep = steps.some((step) => isJsonObject(step) && isMastraStep(step));
  const holdsPayload = (listAt(value, 'toolCalls') ?? []).some(isPayload);
  return (
    isStep ||
    holdsPayload ||
    (steps.length === 0 && textAt(value, 'runId') !== undefined && 'toolCalls' in value)
  );
}

function isMastraStep(step: JsonObject): boolean {
  return (
    (textAt(step, 'stepType') !== undefined && listAt(step, 'toolCalls') !== undefined) ||
    (listAt(step, 'toolCalls') ?? []).some(isPayload)
  );
}

function isPayload(call: Json): boolean {
  return isJsonObject(call) && textAt(objectAt(call, 'payload'), 'toolCallId') !== undefined;
}

function readResult(value: JsonObject): Trace {
  const steps = (listAt(value, 'steps') ?? []).filter(isJsonObject);
  // Without steps, the fields at the top describe the whole result.
  const told = steps.length === 0 ? [value] : steps;
  const entries = told.flatMap((step, index) => readStep(step, `steps[${index}]`));
  // A tool that failed has no result in its step, only in the messages.
  const said = traceOfEntries([...entries, ...resultsGivenBack(value, steps)]);
  const error = valueAt(value, 'error');
  const object = ownValue(value, 'object');
  // The text of a result is that of all steps.
  const text = said.output || textAt(value, 'text') || undefined;
  const usages = steps.map((step) => aiSdkUsage(objectAt(step, 'usage')));
  const trace: Trace = {
    ...said,
    output: text ?? (isJsonObject(object) ? printJson(object) : said.output),
    token_usage: aiSdkUsage(objectAt(value, 'totalUsage', 'usage')) ?? addUsage(usages),
    model_calls: steps.length === 0 ? undefined : steps.length,
  };
  return error === undefined ? trace : withFailure(trace, messageOf(error));
}

function messageOf(error: Json): string {
  return textAt(error, 'message') ?? (typeof error === 'string' ? error : printJson(error));
}

function readStep(step: JsonObject, at: string): readonly Entry[] {
  const content = readPieces(listAt(step, 'content'), `${at}.content`, readPart);
  const listed = readPieces(
    [...(listAt(step, 'toolCalls') ?? []), ...(listAt(step, 'toolResults') ?? [])],
    `${at}.toolCalls`,
    (part) => readPart(flatten(part)),
  );
  return assistantEntries(joinViews(content, listed, textAt(step, 'text')), {
    usage: aiSdkUsage(objectAt(step, 'usage')),
    model: textAt(objectAt(step, 'response'), 'modelId'),
  });
}

/** `{type, payload: {toolCallId, toolName, args, result}}` as the AI SDK writes it. */
function flatten(part: JsonObject): JsonObject {
  const payload = objectAt(part, 'payload');
  return payload === undefined ? part : { ...payload, type: ownValue(part, 'type') ?? null };
}

/** A call is in the content and in the lists. A call in only one of them counts too. */
function joinViews(content: Pieces, listed: Pieces, text: string | undefined): Pieces {
  const isIn = (id: string | undefined, list: readonly { readonly id?: string | undefined }[]): boolean =>
    list.some((each) => each.id === id);
  const results: readonly ResultEntry[] = [
    ...listed.results,
    ...content.results.filter(({ id }) => !isIn(id, listed.results)),
  ];
  return {
    text: content.text ?? text,
    calls: [...listed.calls, ...content.calls.filter(({ id }) => !isIn(id, listed.calls))],
    // The content tells what the model was given, and so whether the tool failed.
    results: results.map((result) => {
      const given = content.results.find(({ id }) => id === result.id);
      return { ...result, output: result.output ?? given?.output, status: result.status ?? given?.status };
    }),
    unknown: [...content.unknown, ...listed.unknown],
  };
}
