import { byType } from '../../../base/schema/by-type.ts';
import { list } from '../../../base/schema/list.ts';
import type { Field } from '../../../base/schema/object.ts';
import { jsonObject, text } from '../../../base/schema/values.ts';

/** `vars` of a whole file. */
export const VARS_FIELD = {
  schema: jsonObject('object of names and values'),
  doc: 'Variables: `{{name}}` in a string stands for the value.',
  null: 'value',
} as const satisfies Field<unknown>;

/** Without its variables a test would send braces to the agent, so a wrong name is more than a warning. */
export const WRONG_NAMES = {
  var: 'write `vars`',
  variables: 'write `vars`',
  Vars: 'write `vars`',
  foreach: 'write `each`',
  for_each: 'write `each`',
  rows: 'write `each`',
} as const;

/** The fields of a test that give names to values. `readTests` reads them before the others. */
export const TEMPLATE_FIELDS = {
  vars: VARS_FIELD,
  each: {
    schema: byType({
      array: list(jsonObject('object of names and values'), { nonEmpty: true, label: 'list of rows' }),
      string: text({ nonEmpty: true, label: 'path of a .csv, .jsonl, .yaml or .json file' }),
    }),
    doc: 'One test for each of these rows. A row is an object of variables.',
    null: 'value',
  },
} as const satisfies Readonly<Record<string, Field<unknown>>>;
