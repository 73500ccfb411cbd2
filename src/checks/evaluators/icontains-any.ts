import { foldCase } from '../../base/match/fold-case.ts';
import { manyTexts } from './many-texts.ts';
import { LOWERCASE } from './text-variant.ts';

export const icontainsAny = manyTexts({
  kind: 'icontains_any',
  doc: 'The output contains at least one of the strings; case does not matter.',
  holds: (found) => found > 0,
  needs: 'any',
  prepare: (text) => foldCase(text),
  variant: LOWERCASE,
});
