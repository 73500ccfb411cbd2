import { startsWithText } from '../../base/match/includes-text.ts';
import { oneText } from './one-text.ts';
import { TRIM } from './text-variant.ts';

export const startsWith = oneText({
  kind: 'starts_with',
  doc: 'The output starts with the text.',
  does: 'starts with the text',
  variant: TRIM,
  holds: startsWithText,
  wants: (text) => ({ texts: [{ text, at: 'start' }], rule: { type: 'literal', text, at: 'start' } }),
});
