import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { toUsage } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withEarlyEnd, withFailure, withGap } from '../unfinished-trace.ts';
import type { ModelApi, ResponseShape } from '../apis/model-api.ts';
import type { Dialect } from './dialect.ts';

/** A reply that is one model response: its calls were requested, and their results are unknown. */
export function modelResponse(api: ModelApi, shape: ResponseShape): Dialect {
  const normalise = shape.normalise ?? ((body: JsonObject): JsonObject => body);
  return {
    name: shape.name,
    recognises(value) {
      if (isJsonObject(value)) return shape.isBody(value);
      return (
        isJsonList(value) &&
        value.every(isJsonObject) &&
        value.some((event) => shape.isEvent(event as JsonObject))
      );
    },
    read(value) {
      if (isJsonObject(value)) return readBody(normalise(value), api);
      const events = (value as readonly Json[]).filter(isJsonObject).map(normalise);
      const { body, isComplete, failure } = api.assembleStream(events);
      const trace = readBody(body, api);
      const unknown = events.findIndex((event) => !shape.isKnownEvent(event));
      if (isComplete && failure === undefined && unknown < 0) return trace;
      const form = failure ?? (isComplete ? `an unknown event at [${unknown}]` : 'it ended early');
      // The last call may be incomplete.
      const read = isComplete && failure === undefined ? withGap : withEarlyEnd;
      const broken = read({ ...trace, tool_calls: undefined }, { at: 'the stream', form });
      return failure === undefined ? broken : withFailure(broken, failure);
    },
  };
}

function readBody(body: JsonObject, api: ModelApi): Trace {
  const response = api.readResponse(body);
  if (response === undefined) return { gap: { at: 'the response', form: Object.keys(body).join(', ') } };
  const { messages, model, usage, failure, provided = [] } = response;
  const history = api.asReply?.historyOf?.(body) ?? [];
  const isOne = history.length === 0;
  const entries = api.dialect.read([...history, ...messages], 'the response');
  const trace: Trace = {
    ...traceOfEntries(provided.length === 0 ? entries : [{ kind: 'assistant', calls: provided }, ...entries]),
    token_usage: usage === undefined ? undefined : toUsage(usage),
    models: model === undefined ? undefined : [model],
    is_last_response: true,
    // The usage is that of this call alone.
    ...(usage === undefined ? {} : { usage_complete: false }),
    ...(isOne ? { model_calls: 1 } : {}),
  };
  return failure === undefined ? trace : withFailure(trace, failure);
}
