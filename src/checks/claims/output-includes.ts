import { includesText } from '../../base/match/includes-text.ts';
import { defineClaim } from '../contract/claim-kind.ts';
import { refine } from '../../base/schema/refine.ts';
import { text } from '../../base/schema/values.ts';
import { warnAboutVacuousCheck, whyEveryOutputHas } from '../vacuous-check.ts';

export const outputIncludes = defineClaim({
  kind: 'output.includes',
  doc: 'The output contains this text.',
  example: 'Paris',
  reads: ['output'],
  schema: refine(text(), (authored, reader, value) => {
    const why = whyEveryOutputHas(value);
    if (why !== undefined) warnAboutVacuousCheck(authored, reader, { why });
  }),
  evaluate({ value }, { reply: { output } }) {
    const holds = includesText(output, value);
    const message = holds ? 'the output contains the text' : undefined;
    return { score: holds ? 1 : 0, message, expected: value, actual: output };
  },
  oracle: ({ value }) => ({
    texts: [{ text: value }],
    rule: { type: 'literal', text: value, at: 'anywhere' },
  }),
});
