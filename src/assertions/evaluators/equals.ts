import { oneText } from './one-text.ts';

export const equals = oneText({
  kind: 'equals',
  doc: 'The output is exactly the text.',
  does: 'is the text',
  doesNot: 'is another text',
  holds: (output, value) => output === value,
  wants: (output) => ({ output, rule: { type: 'literal', text: output, at: 'whole' } }),
});
