import { oneText } from './one-text.ts';

export const equals = oneText({
  kind: 'equals',
  otherNames: ['exact'],
  doc: 'The output is exactly the text.',
  does: 'is the text',
  states: { at: 'value', of: 'output' },
  holds: (output, value) => output === value,
  wants: (output) => ({ output, rule: { type: 'literal', text: output, at: 'whole' } }),
});
