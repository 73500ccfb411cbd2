import { foldCase } from '../../base/match/fold-case.ts';
import { includesText } from '../../base/match/includes-text.ts';
import { oneText } from './one-text.ts';
import { LOWERCASE } from './text-variant.ts';

export const icontains = oneText({
  kind: 'icontains',
  doc: 'The output contains the text; case does not matter.',
  does: 'contains the text, ignoring case',
  prepare: (text) => foldCase(text),
  variant: LOWERCASE,
  holds: includesText,
  wants: (text) => ({
    texts: [{ text }],
    rule: { type: 'literal', text, at: 'anywhere', ignoresCase: true },
  }),
});
