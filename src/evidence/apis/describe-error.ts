import { isJsonObject, type Json } from '../../base/model/json.ts';
import { textAt } from '../foreign-fields.ts';

/** What an API says went wrong, in one line. */
export function describeError(error: Json): string {
  if (typeof error === 'string') return error;
  if (!isJsonObject(error)) return 'an error';
  return textAt(error, 'message', 'code', 'type') ?? 'an error';
}
