import { parseJson } from '../../base/model/parse-json.ts';
import type { Finding } from '../../base/model/finding.ts';
import { ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { ROLES, type Message } from '../../base/model/message.ts';
import { byType } from '../../base/schema/by-type.ts';
import { list } from '../../base/schema/list.ts';
import { object } from '../../base/schema/object.ts';
import { Reader } from '../../base/schema/reader.ts';
import { needsOneOf, refine } from '../../base/schema/refine.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { boolean, jsonObject, number, text } from '../../base/schema/values.ts';

/** An agent's answer, and a person's verdict on it. */
export interface LabelledExample {
  readonly line: number;
  readonly input_messages: readonly Message[];
  readonly output: string;
  readonly output_messages?: readonly Message[] | undefined;
  readonly expected_outcome?: string | undefined;
  readonly rubrics?: readonly Json[] | undefined;
  /** 0..1; true is 1 and false is 0. */
  readonly label: number;
}

export interface ReadExamples {
  readonly examples: readonly LabelledExample[];
  readonly findings: readonly Finding[];
}

/**
 * One example per line. Every wrong line is a finding. The schema of rubrics belongs to the evaluators, so it is
 * passed in.
 */
export function readLabelledExamples(
  file: string,
  content: string,
  rubrics: Schema<readonly Json[]>,
): ReadExamples {
  const schema = exampleSchema(rubrics);
  const examples: LabelledExample[] = [];
  const findings: Finding[] = [];
  for (const [index, written] of content
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (written.trim() === '') continue;
    const line = index + 1;
    const reader = new Reader({ file, isLazy: false, locate: () => ({ line, column: 1 }) });
    const value = parseLine(written, line, reader);
    const read = value === undefined ? undefined : schema.read(value, reader);
    findings.push(...reader.findings);
    if (read !== undefined && reader.errorCount === 0) examples.push(toExample(read as Authored, line));
  }
  return { examples, findings };
}

/** Kept unchanged, including unknown fields. */
const message = refine(jsonObject('messages'), (authored: Json, reader: Reader) => {
  const role = ownValue(authored as JsonObject, 'role');
  if (ROLES.some((known) => known === role)) return;
  reader.error({ code: 'role', message: `a message needs a \`role\`: one of ${ROLES.join(', ')}` });
});
const said = byType({ string: text(), array: list(message, { nonEmpty: true }) });

function exampleSchema(rubrics: Schema<readonly Json[]>) {
  const label = byType({ boolean: boolean(), number: number({ min: 0, max: 1 }) });
  const fields = {
    id: { schema: text(), doc: 'For people.' },
    input: { schema: said, doc: 'What the agent was asked.', missing: 'missing_input' },
    output: { schema: said, doc: 'What it answered.', missing: 'missing_output' },
    expected_outcome: { schema: text({ nonEmpty: true }), doc: 'What was expected.' },
    rubrics: { schema: rubrics, doc: 'What was expected, one by one.' },
    label: {
      schema: label,
      doc: 'The verdict of a person: true, false, or 0 to 1.',
      missing: 'missing_label',
    },
  };
  return refine(object(fields, { what: 'a labelled example' }), needsOneOf(['expected_outcome', 'rubrics']));
}

function parseLine(written: string, line: number, reader: Reader): Json | undefined {
  try {
    return parseJson(written);
  } catch (error) {
    reader.error({
      code: 'invalid_json',
      message: `Line ${line}: Invalid JSON: ${(error as Error).message}`,
    });
    return undefined;
  }
}

interface Authored {
  readonly input: string | readonly JsonObject[];
  readonly output: string | readonly JsonObject[];
  readonly expected_outcome?: string;
  readonly rubrics?: readonly Json[];
  readonly label: boolean | number;
}

function toExample(
  { input, output, expected_outcome, rubrics, label }: Authored,
  line: number,
): LabelledExample {
  const messages = typeof output === 'string' ? undefined : (output as readonly Message[]);
  const last = messages?.findLast(({ role }) => role === 'assistant')?.['content'];
  return {
    line,
    input_messages:
      typeof input === 'string' ? [{ role: 'user', content: input }] : (input as readonly Message[]),
    output: typeof output === 'string' ? output : typeof last === 'string' ? last : '',
    output_messages: messages,
    expected_outcome,
    rubrics,
    label: Number(label),
  };
}
