import { expect, test } from 'vitest';
import type { JudgeText } from './contract/judge.ts';
import { ScriptAccess } from './script-access.ts';

const scored = { score: 1, message: '' };
const NO_TOOLS = {
  ask: (): Promise<JudgeText> => Promise.reject(new Error('away')),
  judgeNames: () => Promise.resolve({ judge: 'j', judges: ['j'] }),
};

test('a score counts only if the judge answered a call, when the script made one', () => {
  const quiet = new ScriptAccess({ max_calls: 0 }, NO_TOOLS);
  expect(quiet.review(scored)).toEqual(scored);
  const refused = new ScriptAccess({ max_calls: 0 }, NO_TOOLS);
  refused.access.onRefused({ reason: 'limit', message: 'Max calls exceeded' });
  expect(refused.review(scored)).toMatchObject({
    error: { message: expect.stringContaining('answered none of its calls: `max_calls` is 0') as string },
  });
});

test('a request that cannot be passed on is an error when no other was answered, and a warning else', async () => {
  const message = 'Unauthorized: send the token of this script';
  const access = new ScriptAccess(true, { ...NO_TOOLS, ask: () => Promise.resolve({ text: 'fine' }) });
  access.access.onRefused({ reason: 'request', message });
  expect(access.review(scored)).toMatchObject({
    error: { message: expect.stringContaining(`answered none of its calls: ${message}`) as string },
  });
  await access.access.ask({ prompt: 'q' }, new AbortController().signal);
  expect(access.review(scored)).toMatchObject({
    score: 1,
    warnings: [{ code: 'judge_call_refused', message: expect.stringContaining(message) as string }],
  });
});

test('judges that cannot be listed are a problem of the judge', async () => {
  const judgeNames = () => Promise.reject(new Error('no judge'));
  const access = new ScriptAccess(true, { ...NO_TOOLS, judgeNames });
  await expect(access.access.names()).rejects.toThrow('no judge');
  expect(access.review(scored)).toMatchObject({
    error: { message: expect.stringContaining('no judge') as string },
  });
});
