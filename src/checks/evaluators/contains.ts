import { includesText } from '../../base/match/includes-text.ts';
import { oneText } from './one-text.ts';

export const contains = oneText({
  kind: 'contains',
  otherNames: ['includes'],
  doc: 'The output contains the text.',
  does: 'contains the text',
  holds: includesText,
  wants: (text) => ({ texts: [{ text }], rule: { type: 'literal', text, at: 'anywhere' } }),
});
