import { printJson } from '../../base/model/print-json.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { describe, quoteHint, subject } from '../../base/schema/values.ts';

/** Text for people: any other value is shown as it is, with a warning, because no check depends on it. */
export const lenientText: Schema<string> = {
  label: 'text',
  jsonSchema: { type: 'string' },
  read(value, reader) {
    if (typeof value === 'string') return value;
    reader.warning({
      code: 'type',
      message: `${subject(reader)} should be text, but is ${describe(value)}`,
      hint: quoteHint(reader),
    });
    return printJson(value);
  },
};
