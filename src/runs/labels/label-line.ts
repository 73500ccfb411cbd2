import type { LabelLine, NewLabel } from '../../base/model/label.ts';

const MAX_NOTE = 4000;
const MAX_NAME = 100;
const FIELDS = new Set(['index', 'id', 'started_at', 'label', 'note', 'by', 'blind']);

/** Whether a line of the file is a label. People may have edited it, so fields that are not known are ignored. */
export function isLabelLine(value: unknown): value is LabelLine {
  if (!isObject(value)) return false;
  const { id, record, by, at } = value;
  return [id, record, by, at].every((text) => typeof text === 'string') && hasLabel(value);
}

/** A label as the page sends it, or what is wrong with it. */
export function readNewLabel(value: unknown): NewLabel | string {
  if (!isObject(value)) return 'a label is an object';
  const unknown = Object.keys(value).find((key) => !FIELDS.has(key));
  if (unknown !== undefined) return `a label has no field \`${unknown}\``;
  const { index, id, started_at, by, blind } = value;
  if (!Number.isSafeInteger(index) || (index as number) < 0) return '`index` must be the number of a row';
  if (typeof id !== 'string' || typeof started_at !== 'string')
    return '`id` and `started_at` must be strings';
  if (!hasLabel(value)) return '`label` must be "right", "wrong" or null, and `note` a string';
  if (typeof value['note'] === 'string' && value['note'].length > MAX_NOTE)
    return `\`note\` must have at most ${MAX_NOTE} characters`;
  if (by !== undefined && !isName(by)) return `\`by\` must be a name of 1 to ${MAX_NAME} characters`;
  if (blind !== undefined && typeof blind !== 'boolean') return '`blind` must be true or false';
  return value as unknown as NewLabel;
}

function hasLabel({ label, note }: Readonly<Record<string, unknown>>): boolean {
  return (
    (label === 'right' || label === 'wrong' || label === null) &&
    (note === undefined || typeof note === 'string')
  );
}

function isName(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length <= MAX_NAME &&
    /^[^\p{Cc}\p{Zl}\p{Zp}]*\S[^\p{Cc}\p{Zl}\p{Zp}]*$/u.test(value)
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
