import { defineClaim } from '../contract/claim-kind.ts';
import { text } from '../../base/schema/values.ts';

export const outputEquals = defineClaim({
  kind: 'output.equals',
  doc: 'The output is exactly this text.',
  example: 'Paris',
  reads: ['output'],
  states: { at: 'value', of: 'output' },
  schema: text(),
  evaluate({ value }, { reply: { output } }) {
    const holds = output === value;
    return {
      score: holds ? 1 : 0,
      message: holds ? 'the output is the text' : undefined,
      expected: value,
      actual: output,
    };
  },
  oracle: ({ value }) => ({
    output: value,
    rule: { type: 'literal', text: value, at: 'whole' },
  }),
});
