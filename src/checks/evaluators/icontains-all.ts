import { foldCase } from '../../base/match/fold-case.ts';
import { manyTexts } from './many-texts.ts';
import { LOWERCASE } from './text-variant.ts';

export const icontainsAll = manyTexts({
  kind: 'icontains_all',
  doc: 'The output contains all of the strings; case does not matter.',
  holds: (found, wanted) => found === wanted,
  needs: 'all',
  prepare: (text) => foldCase(text),
  variant: LOWERCASE,
});
