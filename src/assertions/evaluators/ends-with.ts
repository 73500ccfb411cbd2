import { endsWithText } from '../../match/includes-text.ts';
import { oneText } from './one-text.ts';

export const endsWith = oneText({
  kind: 'ends_with',
  doc: 'The output ends with the text.',
  does: 'ends with the text',
  holds: endsWithText,
  wants: (text) => ({ texts: [{ text, at: 'end' }], rule: { type: 'literal', text, at: 'end' } }),
});
