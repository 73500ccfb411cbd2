import { isSameTool } from '../../base/match/same-tool.ts';
import { faultyCall, faultyTool, type Fault, type FaultAction } from '../../base/model/fault.ts';
import { jsonTypeOf, type Json } from '../../base/model/json.ts';
import { byType } from '../../base/schema/by-type.ts';
import { list } from '../../base/schema/list.ts';
import { complete, object, type Field } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { refine } from '../../base/schema/refine.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { number, oneOf, quoteText, wrongType } from '../../base/schema/values.ts';

/** `model`, or `tool` and the tool's name. */
const faultyPart: Schema<string> = {
  label: '`model` or `tool NAME`',
  jsonSchema: { type: 'string', pattern: String.raw`^(?:model|tool\s+\S.*)$` },
  read(value, reader) {
    if (typeof value !== 'string')
      return wrongType(value, reader, { wanted: '`model` or `tool NAME`', code: 'fault_on' });
    const words = value.trim();
    if (words === 'model') return words;
    const tool = /^tool\s+(\S.*)$/s.exec(words)?.[1];
    if (tool !== undefined) return `tool ${tool}`;
    const isNameless = words === 'tool';
    reader.error({
      code: 'fault_on',
      message: isNameless
        ? '`on: tool` does not say which tool'
        : `${quoteText(value)} is neither \`model\` nor \`tool NAME\``,
      hint: isNameless ? 'write its name: `on: tool search`' : 'write `on: model` or `on: tool search`',
    });
    return undefined;
  },
};

const reply: Schema<Json> = {
  label: 'text, an object or a list',
  jsonSchema: { type: ['string', 'object', 'array'] },
  read: (value, reader) =>
    ['string', 'object', 'array'].includes(jsonTypeOf(value))
      ? value
      : wrongType(value, reader, { wanted: 'text, an object or a list' }),
};

const WORDS = ['timeout', 'reset', 'truncate'] as const;

const action: Schema<FaultAction> = byType({
  number: number({ min: 400, max: 599, integer: true }),
  string: oneOf(WORDS, {
    hintFor: (word) =>
      /^\d+$/.test(word) ? 'write the status as a number, without quotes' : hintForWord(word),
  }),
  object: complete(
    object(
      {
        reply: { schema: reply, doc: 'What comes instead.', missing: 'missing_field' },
      },
      { what: 'what a fault does' },
    ),
  ),
});

function hintForWord(word: string): string | undefined {
  return word === 'reply' ? 'write what it is: `do: { reply: "..." }`' : undefined;
}

const fields = complete(
  object(
    {
      on: { schema: faultyPart, doc: '`model`, or `tool NAME`.', missing: 'missing_field' },
      call: {
        schema: number({ min: 1, integer: true }),
        doc: 'Which call of the attempt, from 1 on. Every try counts.',
        missing: 'missing_field',
      },
      do: { schema: action, doc: 'What goes wrong.', missing: 'missing_field' },
    },
    { what: 'a fault' },
  ),
);

const fault: Schema<Fault> = {
  ...fields,
  label: 'fault',
  read(value, reader) {
    const read = fields.read(value, reader);
    if (read === undefined) return undefined;
    if (faultyTool(read) !== undefined && read.do !== 'truncate' && typeof read.do !== 'object') {
      reader.error({
        code: 'fault_of_tool',
        message: `\`do: ${read.do}\` is for \`on: model\`: Assay does not run the tool, it can only change its result`,
        hint: 'write `do: truncate` or `do: { reply: ... }`',
        at: ['do'],
      });
      return undefined;
    }
    return { ...read, place: reader.place() };
  },
};

/** Every call goes wrong in one way. */
function refuseTwice(_authored: Json, reader: Reader, faults: readonly Fault[]): void {
  for (const [index, each] of faults.entries()) {
    const before = faults.slice(0, index).find((other) => isSameCall(each, other));
    if (before === undefined) continue;
    reader.error({
      code: 'duplicate_fault',
      message: `there are two faults for ${faultyCall(each)}`,
      hint: 'keep one of them',
      at: [index],
    });
  }
}

function isSameCall(one: Fault, other: Fault): boolean {
  const [tool, otherTool] = [faultyTool(one), faultyTool(other)];
  if (one.call !== other.call || (tool === undefined) !== (otherTool === undefined)) return false;
  return tool === undefined || isSameTool(tool, otherTool!);
}

/** What goes wrong on purpose in an attempt of a test. */
export const FAULTS_FIELD = {
  schema: refine(list(fault, { label: 'list of faults' }), refuseTwice),
  doc: 'What goes wrong on purpose, at which call of the attempt: `{on: model, call: 2, do: 429}`.',
} as const satisfies Field<unknown>;
