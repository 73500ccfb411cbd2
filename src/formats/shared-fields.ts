import { byType } from '../schema/by-type.ts';
import { listOrOne } from '../schema/list.ts';
import type { Field } from '../schema/object.ts';
import { boolean, text } from '../schema/values.ts';
import { lenientText } from './lenient-text.ts';
import { REPEAT_FIELDS } from './repeat-fields.ts';

/** Fields that mean the same in every format. */
export const SHARED_FIELDS = {
  description: { schema: lenientText, doc: 'What this is about, for people.' },
  tags: { schema: listOrOne(text({ nonEmpty: true })), doc: 'Words to select tests by (`--tag`).' },
  skip: {
    schema: byType({ boolean: boolean(), string: text({ nonEmpty: true }) }),
    doc: '`true`, or the reason: the test is not run.',
  },
  only: { schema: boolean(), doc: 'Run only the tests marked so. Refused in CI.' },
  ...REPEAT_FIELDS,
} as const satisfies Readonly<Record<string, Field<unknown>>>;
