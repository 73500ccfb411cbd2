import { includesText } from '../../base/match/includes-text.ts';
import { defineClaim } from '../contract/claim-kind.ts';
import { refine } from '../../base/schema/refine.ts';
import { text } from '../../base/schema/values.ts';
import { warnAboutImpossibleClaim } from '../vacuous-check.ts';

export const outputNotIncludes = defineClaim({
  kind: 'output.not_includes',
  doc: 'The output does not contain this text.',
  example: 'Paris',
  reads: ['output'],
  schema: refine(text(), (_authored, reader, value) => {
    if (value === '') warnAboutImpossibleClaim(reader, 'every output contains the empty text');
  }),
  evaluate({ value }, { reply: { output } }) {
    const holds = !includesText(output, value);
    const message = holds ? 'the output does not contain the text' : undefined;
    return { score: holds ? 1 : 0, message, expected: { $not: { $contains: value } }, actual: output };
  },
  oracle: ({ value }) => ({
    rule: { type: 'not', rule: { type: 'literal', text: value, at: 'anywhere' } },
    unwanted: [{ text: value }],
  }),
});
