import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { Entry } from '../entry.ts';
import { objectAt, textAt, valueAt } from '../foreign-fields.ts';
import { aiSdkUsage } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withFailure, withEarlyEnd } from '../unfinished-trace.ts';
import { isMarkedPart, readPart } from './ai-sdk-messages.ts';
import type { Dialect } from './dialect.ts';
import { assistantEntries, readPieces } from './pieces.ts';

/** The parts of `fullStream` of `streamText`. */
export const AI_SDK_STREAM: Dialect = {
  name: 'an AI SDK stream',
  recognises: (value) => isJsonList(value) && value.every(isTyped) && value.some(isMarked),
  read: (value) => readAiSdkStream((value as readonly Json[]).filter(isJsonObject)),
};

function isTyped(part: Json): boolean {
  return textAt(part, 'type') !== undefined && !('payload' in (part as JsonObject));
}

function isMarked(part: Json): boolean {
  if (!isJsonObject(part)) return false;
  const type = textAt(part, 'type');
  if (type === 'text-delta') return textAt(part, 'text') !== undefined && textAt(part, 'id') !== undefined;
  if (type === 'finish-step') return objectAt(part, 'usage') !== undefined;
  return type !== 'reasoning' && isMarkedPart(part);
}

export function readAiSdkStream(parts: readonly JsonObject[]): Trace {
  const end = parts.findLast((part) => textAt(part, 'type') === 'finish');
  const error = parts.find((part) => ['error', 'abort'].includes(textAt(part, 'type') ?? ''));
  const usage = aiSdkUsage(objectAt(end, 'totalUsage'));
  const trace: Trace = {
    ...traceOfEntries(stepsOf(parts).flatMap(readStep)),
    ...(usage === undefined ? {} : { token_usage: usage }),
    model_calls: parts.filter((part) => textAt(part, 'type') === 'finish-step').length || undefined,
  };
  if (error !== undefined) {
    return withFailure(withEarlyEnd(trace, { at: 'the stream', form: errorText(error) }), errorText(error));
  }
  return end === undefined ? withEarlyEnd(trace, { at: 'the stream', form: 'it ended early' }) : trace;
}

function errorText(part: JsonObject): string {
  const error = valueAt(part, 'error') ?? textAt(part, 'type') ?? 'an error';
  if (typeof error === 'string') return error;
  return textAt(error, 'message') ?? printJson(error);
}

function stepsOf(parts: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const steps: JsonObject[][] = [];
  for (const part of parts) {
    if (steps.length === 0 || textAt(part, 'type') === 'start-step') steps.push([]);
    steps.at(-1)!.push(part);
  }
  return steps.filter((step) => step.some((part) => !BETWEEN.has(textAt(part, 'type') ?? '')));
}

/** What stands between steps. */
const BETWEEN: ReadonlySet<string> = new Set(['start', 'finish', 'error', 'abort', 'ping', 'raw']);

function readStep(step: readonly JsonObject[]): readonly Entry[] {
  const end = step.find((part) => textAt(part, 'type') === 'finish-step') ?? {};
  const pieces = readPieces(
    step.filter((part) => !SILENT.test(textAt(part, 'type') ?? '')),
    'the stream',
    (part) => (textAt(part, 'type') === 'text-delta' ? { text: textAt(part, 'text') } : readPart(part)),
  );
  return assistantEntries(pieces, {
    usage: aiSdkUsage(objectAt(end, 'usage')),
    model: textAt(objectAt(end, 'response'), 'modelId'),
  });
}

const SILENT =
  /^(start|finish|start-step|finish-step|error|abort|ping|raw|text-start|text-end|reasoning.*|tool-input-.*|tool-output-denied|steering-message)$/;
