import { manyTexts } from './many-texts.ts';

export const icontainsAll = manyTexts({
  kind: 'icontains_all',
  doc: 'The output contains all of the strings; case does not matter.',
  holds: (found, wanted) => found === wanted,
  needs: 'all',
  ignoresCase: true,
});
