import { byType } from '../../base/schema/by-type.ts';
import { listOrOne } from '../../base/schema/list.ts';
import type { Field } from '../../base/schema/object.ts';
import type { Json } from '../../base/model/json.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { refine } from '../../base/schema/refine.ts';
import { boolean, quoteText, text } from '../../base/schema/values.ts';
import { lenientText } from './lenient-text.ts';
import { LIMITS_FIELD } from '../../base/schema/limits-schema.ts';
import { APPROVALS_FIELD, STOP_AFTER_FIELD } from '../../base/schema/approvals-schema.ts';
import { FAULTS_FIELD } from './fault-field.ts';
import { REPEAT_FIELDS } from './repeat-fields.ts';

/** A reason can be any text, but a word like "no" is hardly meant as one. */
function warnAboutWord(authored: Json, reader: Reader): void {
  if (!/^(?:false|no|off|never|0|null|none|n|f)$/i.test((authored as string).trim())) return;
  reader.warning({
    code: 'skip_text',
    message: `the test is skipped: ${quoteText(authored as string)} is treated as the reason`,
    hint: 'write false without quotes, or remove `skip`',
  });
}

/** Fields that mean the same in every format. */
export const SHARED_FIELDS = {
  description: { schema: lenientText, doc: 'A description for people.' },
  tags: { schema: listOrOne(text({ nonEmpty: true })), doc: 'Words to select tests by (`--tag`).' },
  skip: {
    schema: byType({ boolean: boolean(), string: refine(text({ nonEmpty: true }), warnAboutWord) }),
    doc: '`true`, or the reason: the test does not run.',
  },
  only: { schema: boolean(), doc: 'Run only the tests with this mark. An error in CI.' },
  limits: LIMITS_FIELD,
  approvals: APPROVALS_FIELD,
  stop_after: STOP_AFTER_FIELD,
  faults: FAULTS_FIELD,
  ...REPEAT_FIELDS,
} as const satisfies Readonly<Record<string, Field<unknown>>>;
