import type { JsonObject } from '../../base/model/json.ts';

/** `--name`, of the options of a run. */
export function nameOf(options: JsonObject | undefined): string | undefined {
  const name = options?.['name'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}
