import { endsWithText } from '../../base/match/includes-text.ts';
import { oneText } from './one-text.ts';
import { TRIM } from './text-variant.ts';

export const endsWith = oneText({
  kind: 'ends_with',
  doc: 'The output ends with the text.',
  does: 'ends with the text',
  variant: TRIM,
  holds: endsWithText,
  wants: (text) => ({ texts: [{ text, at: 'end' }], rule: { type: 'literal', text, at: 'end' } }),
});
