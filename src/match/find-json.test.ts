import { expect, test } from 'vitest';
import { findJson } from './find-json.ts';

const fence = (text: string): string => `\`\`\`json\n${text}\n\`\`\`\n`;

test('a broken block beside a whole one is not passed over', () => {
  expect(findJson(fence('{"total": 2,}') + fence('{"total": 1}'))).toEqual({ kind: 'broken' });
  expect(findJson(fence('{"total": 1}') + fence('{"total": 1}'))).toMatchObject({ kind: 'one' });
  expect(findJson(fence('npm run build') + fence('{"total": 1}'))).toMatchObject({ kind: 'one' });
  expect(findJson(fence('{"total": 1}') + fence('{"total": 2}'))).toMatchObject({ kind: 'several' });
});
