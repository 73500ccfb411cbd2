import { manyTexts } from './many-texts.ts';

export const containsAll = manyTexts({
  kind: 'contains_all',
  doc: 'The output contains all of the texts.',
  holds: (found, wanted) => found === wanted,
  needs: 'all',
});
