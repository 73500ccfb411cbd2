import { manyTexts } from './many-texts.ts';

export const containsAny = manyTexts({
  kind: 'contains_any',
  doc: 'The output contains at least one of the strings.',
  holds: (found) => found > 0,
  needs: 'any',
});
