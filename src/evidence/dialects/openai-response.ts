import { isJsonObject, type JsonObject } from '../../model/json.ts';
import { listAt, objectAt, textAt } from '../foreign-fields.ts';
import { OPENAI_RESPONSES } from '../wire/apis/openai-responses.ts';
import { modelResponse } from './model-response.ts';
import { isMarkedItem } from './openai-response-items.ts';

/** What `responses.create` gives, and the events of its stream. */
export const OPENAI_RESPONSE = modelResponse({
  name: 'an OpenAI response',
  api: OPENAI_RESPONSES,
  isBody: (body) =>
    listAt(body, 'output') !== undefined && (textAt(body, 'object') === 'response' || holdsItems(body)),
  isEvent: (event) =>
    textAt(event, 'type')?.startsWith('response.') === true &&
    (objectAt(event, 'response', 'item') !== undefined || 'output_index' in event),
  isKnownEvent: (event) => /^(response\.|error$|keepalive$)/.test(textAt(event, 'type') ?? ''),
});

function holdsItems(body: JsonObject): boolean {
  return listAt(body, 'output')?.some((item) => isJsonObject(item) && isMarkedItem(item)) === true;
}
