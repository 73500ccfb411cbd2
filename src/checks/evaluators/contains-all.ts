import { manyTexts } from './many-texts.ts';

export const containsAll = manyTexts({
  kind: 'contains_all',
  doc: 'The output contains all of the strings.',
  holds: (found, wanted) => found === wanted,
  needs: 'all',
});
