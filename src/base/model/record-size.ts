import type { AttemptRecord } from './record.ts';

/** Roughly the size of everything besides the texts. */
const OTHER_CHARACTERS = 500;

/** Roughly the number of characters of a record. */
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
