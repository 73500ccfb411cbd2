import { isJsonList, isJsonObject, type Json } from '../../base/model/json.ts';
import { listAt, objectAt, textAt } from '../foreign-fields.ts';

/**
 * What a returned result waits for: OpenAI Agents (`interruptions`, also in a serialised state) and LangGraph (`__interrupt__`) return it
 * in place of an answer. Undefined: nothing.
 */
export function pendingApproval(value: Json | undefined): string | undefined {
  if (value === undefined || !isJsonObject(value)) return undefined;
  const step = objectAt(value, '_currentStep', 'currentStep');
  const state = objectAt(value, 'state');
  const interruptions = listAt(value, 'interruptions') ?? listAt(objectAt(step, 'data'), 'interruptions');
  const first = (interruptions ?? listAt(value, '__interrupt__') ?? [])[0];
  if (first === undefined) return state === undefined ? undefined : pendingApproval(state);
  if (!isJsonObject(first)) return 'an answer';
  const call = objectAt(first, 'rawItem', 'raw_item');
  const asked = first['value'];
  return (
    textAt(call ?? first, 'name') ??
    (typeof asked === 'string' ? asked : undefined) ??
    (isJsonObject(asked ?? null) && !isJsonList(asked ?? null)
      ? JSON.stringify(asked).slice(0, 200)
      : 'an answer')
  );
}

export function unansweredApproval(what: string): string {
  return `the agent returned a result that waits for permission or an answer (${what}), and no one answers\nin the function, ask with \`context.approve({ tool })\` and resume with what it answers`;
}
