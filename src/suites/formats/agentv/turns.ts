import type { AssertionKinds } from '../../../checks/contract/assertion-kinds.ts';
import type { Json, JsonObject } from '../../../base/model/json.ts';
import type { Step } from '../../../base/model/test.ts';
import { object } from '../../../base/schema/object.ts';
import type { Reader } from '../../../base/schema/reader.ts';
import type { Schema } from '../../../base/schema/schema.ts';
import { expectedShorthand, inputShorthand } from '../messages.ts';
import { createStep } from '../step.ts';
import { readingOf } from '../../../base/schema/refine.ts';

/** A turn of a conversation: a step with evaluators. */
export function turnSchema({ evaluatorList }: AssertionKinds): Schema<Step> {
  const schema = object(
    {
      input: { schema: inputShorthand, doc: 'What the user says.', missing: 'missing_input' },
      expected_output: { schema: expectedShorthand, doc: 'The expected answer.' },
      assert: {
        schema: evaluatorList,
        doc: 'How the answer is judged.',
        aliases: { assertions: evaluatorList },
        twice: 'error',
      },
    },
    { what: 'a turn' },
  );
  return readingOf(schema, (value: Json, reader: Reader): Step | undefined => {
    const errorsBefore = reader.errorCount;
    const read = schema.read(value, reader);
    if (read === undefined || reader.errorCount > errorsBefore) return undefined;
    const { input = [], expected_output = [], assert = [] } = read;
    if (expected_output.length > 0 && assert.length === 0)
      reader.unsupported({
        message: '`expected_output` of a turn is not judged without `assert`',
        hint: 'add `assert`, for example a rubric that describes what must be true',
        at: ['expected_output'],
        onKey: true,
      });
    const parts = { input_messages: input, expected_messages: expected_output, assertions: assert };
    return createStep(value as JsonObject, parts, reader);
  });
}
