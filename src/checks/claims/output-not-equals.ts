import { defineClaim } from '../contract/claim-kind.ts';
import { text } from '../../base/schema/values.ts';

export const outputNotEquals = defineClaim({
  kind: 'output.not_equals',
  doc: 'The output is not this text.',
  example: 'Paris',
  reads: ['output'],
  schema: text(),
  evaluate({ value }, { reply: { output } }) {
    const holds = output !== value;
    return {
      score: holds ? 1 : 0,
      message: holds ? 'the output is a different text' : undefined,
      expected: { $not: value },
      actual: output,
    };
  },
  oracle: ({ value }) => ({
    rule: { type: 'not', rule: { type: 'literal', text: value, at: 'whole' } },
    unwanted: [{ text: value, replaces: true }],
  }),
});
