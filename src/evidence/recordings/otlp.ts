import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { listAt, objectAt, readOutput, textAt, objectsAt } from '../foreign-fields.ts';
import { isOtlp, OtlpReader, type OtlpTrace } from '../otel/read-otlp.ts';
import type { TelemetryProblem } from '../otel/telemetry.ts';
import { withFacts } from './chat.ts';
import { withHole } from './conversation.ts';
import type { RecordedTurn, Recording, RecordingFormat } from './recording.ts';

/**
 * Requests of OTLP, as collectors write them to files. A trace may be spread over several files. Also the same spans as an AgentV trace
 * has them.
 */
export const OTLP: RecordingFormat = {
  name: 'otlp',
  title: 'an OTLP export',
  isTogether: true,
  recognises: ([first]) => first !== undefined && (isOtlp(first) || isRequests(first) || isAgentv(first)),
  open(context) {
    const reader = new OtlpReader();
    const names = new Map<string, string>();
    const facts = new Map<string, readonly JsonObject[]>();
    const add = (value: JsonObject): void => {
      if (isRequests(value)) for (const request of objectsAt(value, 'requests')) addRequest(reader, request);
      else if (isAgentv(value)) {
        const { test_id: id } = objectAt(value, 'eval') ?? {};
        const trace = objectAt(value, 'trace') ?? {};
        if (typeof id === 'string') names.set(textAt(trace, 'trace_id') ?? '', id);
        reader.add({ body: requestOfAgentv(trace) });
      } else {
        for (const [id, turns] of ownFacts(value)) facts.set(id, turns);
        reader.add({ body: value });
      }
    };
    return {
      add,
      addPart: add,
      end() {
        const { traces, problems, spans, logs } = reader.read();
        for (const { at, message } of problems)
          context.report({
            code: 'unknown_part',
            message: at === '' ? message : `\`${at}\`: ${message}`,
            line: 1,
          });
        if (traces.length === 0 && spans + logs > 0)
          context.report({
            code: 'unknown_part',
            message: `none of the ${spans} spans and ${logs} logs comes from an agent`,
            line: 1,
          });
        // Nobody knows whose calls a part that cannot be read tells of.
        const lost = problems.find(({ isRepeated }) => isRepeated !== true);
        return traces
          .map((trace) => toRecording(trace, names, lost))
          .map((recording, index) => {
            const own = facts.get(traces[index]!.id);
            return own === undefined ? recording : { ...recording, turns: withFacts(recording.turns, own) };
          });
      },
    };
  },
};

/** Requests that were kept with their paths. */
function isRequests(value: JsonObject): boolean {
  return objectsAt(value, 'requests').some(
    (request) => textAt(request, 'path') !== undefined && ('body' in request || 'body_base64' in request),
  );
}

function addRequest(reader: OtlpReader, request: JsonObject): void {
  const path = textAt(request, 'path') ?? '';
  if (path.endsWith('/metrics')) return;
  const signal = path.endsWith('/logs') ? ('logs' as const) : ('traces' as const);
  const binary = textAt(request, 'body_base64');
  reader.add({
    body: binary === undefined ? (ownValue(request, 'body') ?? null) : Buffer.from(binary, 'base64'),
    signal,
  });
}

function toRecording(
  { id, source, agent, steps, startMs, endMs }: OtlpTrace,
  names: ReadonlyMap<string, string>,
  lost: TelemetryProblem | undefined,
): Recording {
  // As `assay export` names the repeats of a test.
  const [, test = id, repeat] = /^(.*)#(\d+)$/s.exec(id) ?? [];
  return {
    id: names.get(id) ?? test,
    ...(repeat === undefined ? {} : { repeat: Number(repeat) }),
    target: agent ?? source,
    line: 1,
    duration_ms: Math.max(0, endMs - startMs),
    turns: steps.map((step) => {
      const turn: RecordedTurn = {
        ...step.trace,
        input: step.input ?? '',
        line: 1,
        start_ms: step.startMs,
        duration_ms: step.trace.duration_ms ?? Math.max(0, step.endMs - step.startMs),
      };
      return lost === undefined
        ? turn
        : withHole(turn, { at: lost.at || 'the telemetry', form: lost.message });
    }),
    metadata: { source },
  };
}

/** What `assay export` writes of each conversation. */
function ownFacts(request: JsonObject): readonly (readonly [string, readonly JsonObject[]])[] {
  const spans = objectsAt(request, 'resourceSpans')
    .flatMap((resource) => objectsAt(resource, 'scopeSpans'))
    .filter((scoped) => textAt(objectAt(scoped, 'scope'), 'name') === 'assay')
    .flatMap((scoped) => objectsAt(scoped, 'spans'));
  return spans.flatMap((span) => {
    const told = new Map(
      objectsAt(span, 'attributes').map((pair) => [
        textAt(pair, 'key'),
        textAt(objectAt(pair, 'value'), 'stringValue'),
      ]),
    );
    const id = told.get('gen_ai.conversation.id');
    const turns = readOutput(told.get('assay.turns'));
    return id === undefined || !isJsonList(turns) ? [] : [[id, turns.filter(isJsonObject)] as const];
  });
}

function isAgentv(value: JsonObject): boolean {
  return (
    textAt(value, 'schema_version')?.startsWith('agentv.trace.') === true &&
    objectAt(value, 'trace') !== undefined
  );
}

/** Its spans are those of OTLP in snake case, with plain objects as attributes. */
function requestOfAgentv(trace: JsonObject): Json {
  const spans = objectsAt(trace, 'spans').map((span) => ({
    traceId: textAt(span, 'trace_id') ?? '',
    spanId: textAt(span, 'span_id') ?? '',
    parentSpanId: textAt(span, 'parent_span_id') ?? '',
    name: textAt(span, 'name') ?? '',
    startTimeUnixNano: ownValue(span, 'start_time_unix_nano') ?? '0',
    endTimeUnixNano: ownValue(span, 'end_time_unix_nano') ?? '0',
    status: { code: textAt(objectAt(span, 'status'), 'code') === 'ERROR' ? 2 : 1 },
    attributes: Object.entries(objectAt(span, 'attributes') ?? {})
      // Each span says the same in two conventions.
      .filter(([key]) => !key.startsWith('openinference.'))
      .map(([key, value]) => ({
        key,
        value: anyValue(saidBy(key, value)),
      })),
    events: listAt(span, 'events') ?? [],
  }));
  return { resourceSpans: [{ scopeSpans: [{ scope: { name: 'agentv' }, spans }] }] };
}

/** Its messages may be text alone. */
function saidBy(key: string, value: Json): Json {
  const role = { 'gen_ai.input.messages': 'user', 'gen_ai.output.messages': 'assistant' }[key];
  if (role === undefined || typeof value !== 'string' || /^\s*[[{]/.test(value)) return value;
  return [{ role, parts: [{ type: 'text', content: value }] }];
}

function anyValue(value: Json): JsonObject {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return { stringValue: isJsonObject(value) || Array.isArray(value) ? printJson(value) : '' };
}
