import { replayResponse } from '../cassettes/recorded-response.ts';
import type { RecordedResponse } from '../cassettes/cassette.ts';
import type { CallDecision, ModelAnswer, ModelCall } from '../observe/before-call.ts';
import { apiOfPath, pathWithoutQuery } from '../wire/recognise-model-call.ts';
import type { FaultAction } from '../../base/model/fault.ts';
import type { Json } from '../../base/model/json.ts';

/** What becomes of a call that is not sent because of a fault. `number`: of the call. */
export function decideFault(
  action: Exclude<FaultAction, 'truncate'>,
  call: ModelCall,
  number: number,
): CallDecision {
  if (action === 'timeout') return { do: 'fail', how: 'hang' };
  if (action === 'reset') return { do: 'fail', how: 'reset' };
  const response =
    typeof action === 'number' ? failure(action, call, number) : reply(action.reply, call, number);
  return { do: 'answer', answer: replayResponse(response, { withDelays: false }) };
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** SDKs wait as long as they are told: some take 0 for nothing told, and wait for seconds. */
const RETRY_AT_ONCE = { 'retry-after-ms': '1', 'retry-after': '0' };

function failure(status: number, call: ModelCall, number: number): RecordedResponse {
  const isPassing = status === 408 || status === 409 || status === 429 || status >= 500;
  const message = `Assay injected this error: ${status} at model call ${number}`;
  return {
    status,
    headers: { ...JSON_TYPE, ...(isPassing && RETRY_AT_ONCE) },
    body: apiOf(call).errorBody(status, message),
  };
}

/** A text becomes an answer in the form that was asked for. Anything else is sent as it is. */
function reply(value: Json, call: ModelCall, number: number): RecordedResponse {
  if (typeof value !== 'string') return { status: 200, headers: JSON_TYPE, body: value };
  const api = apiOf(call);
  const { path, request = {} } = call;
  const { model = 'unknown', isStreamed } = api.readRequest(request, pathWithoutQuery(path));
  const asked = { id: `assay_${number}`, model, path, request };
  const events = isStreamed ? api.answerEvents(value, asked) : undefined;
  return events === undefined
    ? { status: 200, headers: JSON_TYPE, body: api.answerBody(value, asked) }
    : { status: 200, headers: { 'content-type': api.streamType ?? 'text/event-stream' }, events };
}

/** Every model call is one of an API. */
function apiOf({ method, path }: ModelCall) {
  return apiOfPath(method, path)!;
}

/** Half of a response, after which the connection breaks. */
export function cutAnswer({ status, headers, body }: ModelAnswer): ModelAnswer {
  return { status, headers, body: firstHalf(body), isBroken: true };
}

/** In the pieces in which it came. */
async function* firstHalf(body: ModelAnswer['body']): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  let left = Math.floor(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0) / 2);
  for (const piece of pieces) {
    if (left === 0) return;
    const part = piece.subarray(0, left);
    left -= part.byteLength;
    yield part;
  }
}
