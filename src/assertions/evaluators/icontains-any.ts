import { manyTexts } from './many-texts.ts';

export const icontainsAny = manyTexts({
  kind: 'icontains_any',
  doc: 'The output contains at least one of the strings; case does not matter.',
  holds: (found) => found > 0,
  needs: 'any',
  ignoresCase: true,
});
