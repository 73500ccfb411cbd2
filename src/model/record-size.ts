import type { AttemptRecord } from './record.ts';

/** Of what stands between the texts, about. */
const OTHER_CHARACTERS = 500;

/** About how many characters a record has. */
export function recordSize({ steps, assertions, error }: AttemptRecord): number {
  return OTHER_CHARACTERS + textLength(steps) + textLength(assertions) + (error?.message.length ?? 0);
}

function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let length = 0;
  for (const key in value) length += textLength((value as Record<string, unknown>)[key]);
  return length;
}
