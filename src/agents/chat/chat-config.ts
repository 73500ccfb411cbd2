import type { Json, JsonObject } from '../../base/model/json.ts';
import { comparableObject } from '../../base/match/matchers/comparable.ts';
import type { ModelConfig } from '../llm/model-config.ts';
import { list } from '../../base/schema/list.ts';
import { object, type Field } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { given, refine } from '../../base/schema/refine.ts';
import { anyJson, jsonObject, number, text } from '../../base/schema/values.ts';

/** A model as an agent: its prompt, and canned tools that it may call. */
export interface ChatConfig extends ModelConfig {
  readonly name: string;
  readonly system?: string | undefined;
  readonly tools?: readonly CannedTool[] | undefined;
  readonly max_steps?: number | undefined;
  readonly workers?: number | undefined;
}

export interface CannedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly schema?: JsonObject | undefined;
  readonly replies?: readonly CannedReply[] | undefined;
}

/** The first one whose `when` matches answers the call. */
export interface CannedReply {
  readonly when?: JsonObject | undefined;
  readonly return?: Json | undefined;
  readonly throw?: string | undefined;
}

const reply = refine(
  object(
    {
      when: {
        schema: comparableObject({ of: 'arguments' }),
        doc: 'Arguments the call must have, as values or matchers; it may have others. Default: any call.',
      },
      return: { schema: anyJson(), doc: 'What the tool returns.', null: 'value' },
      throw: { schema: text({ nonEmpty: true }), doc: 'The error the tool fails with.' },
    },
    { what: 'a canned reply' },
  ),
  (authored: Json, reader: Reader) => {
    if (Object.hasOwn(authored as JsonObject, 'return') !== given(authored, 'throw')) return;
    reader.error({ code: 'canned_reply', message: 'a canned reply needs either `return` or `throw`' });
  },
);

const tool = object(
  {
    name: { schema: text({ nonEmpty: true }), doc: 'Its name for the model.', missing: 'missing_name' },
    description: { schema: text(), doc: 'Its description for the model.' },
    schema: { schema: jsonObject(), doc: 'JSON Schema of its arguments. Default: any object.' },
    replies: {
      schema: list(reply),
      doc: 'Its replies. If none matches a call, the model gets an error.',
    },
  },
  { what: 'a tool' },
);

export const CHAT_FIELDS = {
  system: { schema: text(), doc: 'The system prompt.' },
  tools: {
    schema: list(tool),
    doc: 'Tools with canned replies, so that the choice of tools is tested without real ones.',
  },
  max_steps: {
    schema: number({ min: 1, integer: true }),
    doc: 'How often the model is called for one input. Default: 10.',
  },
} as const satisfies Readonly<Record<string, Field<unknown>>>;
