import { expect, test } from 'vitest';
import { ScriptAccess } from './script-access.ts';

const scored = { score: 1, message: '' };
const NO_TOOLS = {
  ask: () => Promise.reject(new Error('away')),
  judgeNames: () => Promise.resolve({ judge: 'j', judges: ['j'] }),
};

test('a score counts only if the judge answered a call, when the script made one', () => {
  const quiet = new ScriptAccess({ max_calls: 0 }, NO_TOOLS);
  expect(quiet.review(scored)).toEqual(scored);
  const refused = new ScriptAccess({ max_calls: 0 }, NO_TOOLS);
  refused.access.onRefused();
  expect(refused.review(scored)).toMatchObject({
    error: { message: expect.stringContaining('answered none of its calls: `max_calls` is 0') as string },
  });
});
