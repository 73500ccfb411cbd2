import { PASS_AT_LEAST_PATTERN, readPassAtLeast, type PassAtLeast } from '../../base/model/pass-at-least.ts';
import type { Field } from '../../base/schema/object.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { describe, number, subject } from '../../base/schema/values.ts';

const passAtLeast: Schema<PassAtLeast> = {
  label: 'number above 0 up to 1, or text such as `8/10`',
  jsonSchema: {
    anyOf: [
      { type: 'number', exclusiveMinimum: 0, maximum: 1 },
      { type: 'string', pattern: PASS_AT_LEAST_PATTERN },
    ],
  },
  read(value, reader) {
    if ((typeof value === 'number' || typeof value === 'string') && readPassAtLeast(value) !== undefined)
      return value;
    reader.error({
      code: 'pass_at_least',
      message: `${subject(reader)} must say how often the test must pass, but is ${describe(value)}`,
      hint: 'write a share such as 0.8, or a fraction such as 8/10',
    });
    return undefined;
  },
};

/** How often a test runs, and how often it must pass: the same in every format, and for a whole file. */
export const REPEAT_FIELDS = {
  repeats: {
    schema: number({ min: 1, max: 100_000, integer: true }),
    doc: 'How often to run the test. Default: 1. `--repeats` overrides it.',
  },
  pass_at_least: {
    schema: passAtLeast,
    doc: 'How often it must pass: a share (`0.8`), or `8/10`, which also sets `repeats`. Default: every time.',
  },
} as const satisfies Readonly<Record<string, Field<unknown>>>;

interface ReadRepeats {
  readonly repeats?: number | undefined;
  readonly pass_at_least?: PassAtLeast | undefined;
}

/** The settings of a test: its own, else those of its file. */
export function resolveRepeats(own: ReadRepeats, shared: ReadRepeats = {}): ReadRepeats {
  return {
    repeats: own.repeats ?? impliedBy(own) ?? shared.repeats ?? impliedBy(shared),
    pass_at_least: own.pass_at_least ?? shared.pass_at_least,
  };
}

function impliedBy({ pass_at_least }: ReadRepeats): number | undefined {
  return pass_at_least === undefined ? undefined : readPassAtLeast(pass_at_least)?.repeats;
}
