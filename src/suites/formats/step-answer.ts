import type { ApprovalAnswer } from '../../base/model/approval.ts';
import type { Json, JsonObject } from '../../base/model/json.ts';
import type { Field } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { given } from '../../base/schema/refine.ts';
import { anyJson, boolean, text } from '../../base/schema/values.ts';
import { byType } from '../../base/schema/by-type.ts';

const ANSWERS = ['approve', 'deny', 'answer'] as const;

/** What a step may have in place of an input, when the agent waits for a permission. */
export const ANSWER_FIELDS = {
  approve: {
    schema: boolean(),
    doc: '`true`, in place of `input`: the agent waits for a permission, and gets it.',
  },
  deny: {
    schema: byType({ string: text({ nonEmpty: true }), boolean: boolean() }),
    doc: 'In place of `input`: the agent waits for a permission, and does not get it. The reason, or `true`.',
  },
  answer: {
    schema: anyJson(),
    doc: 'In place of `input`: the agent waits for an answer, and gets this.',
  },
} as const satisfies Readonly<Record<string, Field<unknown>>>;

export function replacedInput<F extends Field<unknown>>(field: F): F {
  return { ...field, replacedBy: ANSWERS };
}

export interface ReadAnswer {
  readonly approve?: boolean;
  readonly deny?: string | boolean;
  readonly answer?: Json;
}

/** How a step answers a request of the agent. Undefined: it has an input, or something in it is wrong. */
export function readAnswer(
  authored: JsonObject,
  { approve, deny, answer }: ReadAnswer,
  reader: Reader,
): ApprovalAnswer | undefined {
  const written = ANSWERS.filter((key) => given(authored, key));
  const [key] = written;
  if (key === undefined) return undefined;
  const other = [...written.slice(1), ...INPUTS.filter((name) => given(authored, name))][0];
  if (other !== undefined)
    reader.error({
      code: 'given_twice',
      message: `\`${key}\` and \`${other}\` cannot be used together in a step`,
      hint: 'keep one of them',
      at: [other],
      onKey: true,
    });
  if (authored[key] === false && key !== 'answer')
    reader.error({
      code: 'value',
      message: `\`${key}: false\` answers nothing`,
      hint: key === 'approve' ? 'write `deny: "reason"`' : 'write `approve: true`',
      at: [key],
    });
  if (key === 'approve') return approve === true ? { do: 'allow' } : undefined;
  if (key === 'deny')
    return typeof deny === 'string'
      ? { do: 'deny', message: deny }
      : deny === true
        ? { do: 'deny' }
        : undefined;
  return answer === undefined ? undefined : { do: 'answer', answer };
}

const INPUTS = ['input', 'input_messages'];
