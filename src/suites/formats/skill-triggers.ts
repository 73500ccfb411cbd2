import type { Json, JsonObject } from '../../base/model/json.ts';
import type { Test } from '../../base/model/test.ts';
import { byType } from '../../base/schema/by-type.ts';
import { complete, object } from '../../base/schema/object.ts';
import { Reader, type Source } from '../../base/schema/reader.ts';
import { boolean, number, text } from '../../base/schema/values.ts';
import { triggerParameters } from './agent-skills.ts';
import { datasetName } from './eval-file.ts';
import { createStep } from './step.ts';
import type { SuiteReading } from './suite-reading.ts';
import { UsedIds } from './used-ids.ts';

const trigger = complete(
  object(
    {
      id: {
        schema: byType({ string: text({ nonEmpty: true }), number: number({ integer: true }) }),
        doc: 'Its name. Default: the query.',
      },
      query: { schema: text({ nonEmpty: true }), doc: 'What the user asks.', missing: 'missing_input' },
      should_trigger: {
        schema: boolean(),
        doc: 'Whether the agent must use the skill, or must not.',
        missing: 'missing_value',
      },
      expected_skill: {
        schema: text({ nonEmpty: true }),
        doc: 'The skill. Default: that of the folder `skills/NAME`, else any.',
      },
    },
    { what: 'a query of a skill' },
  ),
);

/** The queries that should trigger a skill, and those that should not: `[{ query, should_trigger, expected_skill }]`. */
export function readSkillTriggers(value: Json, source: Source): SuiteReading {
  return {
    suite: { file: source.file, format: 'eval', dataset: datasetName(source.file) },
    mayBeLong: false,
    *tests() {
      const reader = new Reader(source);
      const ids = new UsedIds();
      for (const [index, item] of (value as readonly Json[]).entries()) {
        reader.enter(index);
        const test = readTrigger(item, reader);
        if (test !== undefined && ids.add(test.id, test.place.line, reader)) yield test;
        reader.leave();
      }
      return reader.findings;
    },
  };
}

function readTrigger(value: Json, reader: Reader): Test | undefined {
  const read = trigger.read(value, reader);
  if (read === undefined) return undefined;
  const { id, query, should_trigger, expected_skill } = read;
  const { file } = reader.source;
  const own = triggerParameters(undefined, file, true).value;
  if (!should_trigger && expected_skill !== undefined && own !== '*' && expected_skill !== own)
    reader.warning({
      code: 'ambiguous_skill',
      message: `with \`should_trigger: false\` this checks that ${expected_skill} is not used; it does not check ${own}, whose folder the file is in`,
      hint: 'leave `expected_skill` out to check the skill of the folder',
      at: ['expected_skill'],
    });
  const parameters = triggerParameters(expected_skill, file, should_trigger);
  const input_messages = [{ role: 'user', content: query }] as const;
  const assertion = {
    form: 'evaluator',
    kind: 'skill_used',
    name: 'skill_used',
    weight: 1,
    required: false,
    negate: false,
    parameters,
    place: reader.place(),
  } as const;
  const step = createStep(
    value as JsonObject,
    { input_messages, expected_messages: [], assertions: [assertion] },
    reader,
  );
  return {
    id: String(id ?? query),
    input_messages,
    expected_messages: [],
    steps: [step],
    assertions: [],
    stop_after: 'first_tool_call',
    tags: [],
    metadata: { skill_trigger: { skill: parameters.value, should_trigger } },
    place: reader.place(),
  };
}
