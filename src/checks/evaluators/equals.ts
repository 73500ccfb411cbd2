import { oneText } from './one-text.ts';
import { TRIM } from './text-variant.ts';

export const equals = oneText({
  kind: 'equals',
  otherNames: ['exact'],
  doc: 'The output is exactly the text.',
  does: 'is the text',
  states: { at: 'value', of: 'output' },
  variant: TRIM,
  holds: (output, value) => output === value,
  wants: (output) => ({ output, rule: { type: 'literal', text: output, at: 'whole' } }),
});
