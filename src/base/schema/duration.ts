import { jsonTypeOf } from '../model/json.ts';
import { DURATION, parseDuration, UNITS } from './parse-duration.ts';
import type { Schema } from './schema.ts';
import { describe, number, quoteText, subject } from './values.ts';

interface DurationOptions {
  /** Of a bare number, and of what is read. */
  readonly unit?: 'ms' | 's';
  readonly min?: number;
}

/** A time in a file: a number, or text with its unit such as `500ms`, `2s` and `1m`. */
export function duration({ unit = 'ms', min = 0 }: DurationOptions = {}): Schema<number> {
  const bare = number({ min });
  const words = unit === 'ms' ? 'milliseconds' : 'seconds';
  const hint = `write 500ms, 2s or 1m; a number without a unit is ${words}`;
  return {
    label: `${words}, or text such as \`2s\``,
    // Each keyword applies to one of the types only.
    jsonSchema: {
      ...bare.jsonSchema,
      type: ['number', 'string'],
      pattern: String.raw`^\d+(\.\d+)? ?(ms|s|m|h)$`,
      patternErrorMessage: `Expected a time such as 500ms, 2s or 1m, or a number of ${words}.`,
    },
    read(value, reader) {
      if (jsonTypeOf(value) === 'number') return bare.read(value, reader);
      const isWritten = typeof value === 'string' && DURATION.exec(value.trim())?.[2] !== undefined;
      const ms = isWritten ? parseDuration(value) : undefined;
      if (ms !== undefined) return bare.read(ms / UNITS[unit]!, reader);
      const isNumber = typeof value === 'string' && DURATION.test(value.trim()) && !isWritten;
      reader.error({
        code: 'duration',
        message: `${subject(reader)} must be a time, but is ${typeof value === 'string' ? quoteText(value) : describe(value)}`,
        hint: isNumber ? `add its unit: ${value.trim()}ms or ${value.trim()}s` : hint,
      });
      return undefined;
    },
  };
}
