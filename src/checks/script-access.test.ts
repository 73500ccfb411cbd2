import { expect, test } from 'vitest';
import type { JudgeText } from './contract/judge.ts';
import { mayAskJudge, ScriptAccess } from './script-access.ts';

const scored = { score: 1, message: '' };
const NO_TOOLS = {
  ask: (): Promise<JudgeText> => Promise.reject(new Error('away')),
  judgeNames: () => Promise.resolve({ judge: 'j', judges: ['j'] }),
};

test('if the script called the judge, its score counts only if a call was answered', () => {
  const quiet = new ScriptAccess({ max_calls: 0 }, NO_TOOLS);
  expect(quiet.review(scored)).toEqual(scored);
  const refused = new ScriptAccess({ max_calls: 0 }, NO_TOOLS);
  refused.access.onRefused({ reason: 'limit', message: 'Max calls exceeded' });
  expect(refused.review(scored)).toMatchObject({
    error: { message: expect.stringContaining('answered none of its calls: `max_calls` is 0') as string },
  });
});

test('a request that cannot be forwarded is an error if no other was answered, otherwise a warning', async () => {
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

test('a failure to list the judges is an error of the judge', async () => {
  const judgeNames = () => Promise.reject(new Error('no judge'));
  const access = new ScriptAccess(true, { ...NO_TOOLS, judgeNames });
  await expect(access.access.names()).rejects.toThrow('no judge');
  expect(access.review(scored)).toMatchObject({
    error: { message: expect.stringContaining('no judge') as string },
  });
});

const QUESTION = { prompt: 'p' } as never;
const going = new AbortController().signal;

/** A judge that answers or not, as the list says. */
function accessTo(answers: readonly boolean[], target: ConstructorParameters<typeof ScriptAccess>[0] = true) {
  const left = [...answers];
  const ask = (): Promise<never> =>
    left.shift() === true ? Promise.resolve({ text: 'yes' } as never) : Promise.reject(new Error('away'));
  return new ScriptAccess(target, { ...NO_TOOLS, ask });
}

async function askAll(script: ScriptAccess, times: number, signal = going): Promise<readonly unknown[]> {
  const texts: unknown[] = [];
  for (let time = 0; time < times; time++)
    texts.push(await script.access.ask(QUESTION, signal).catch((error: unknown) => (error as Error).message));
  return texts;
}

test('a script may make as many calls as its target allows, by default fifty', async () => {
  expect(accessTo([], true).access.maxCalls).toBe(50);
  expect(accessTo([], {}).access.maxCalls).toBe(50);
  expect(accessTo([], { max_calls: 3 }).access.maxCalls).toBe(3);
  expect(await accessTo([]).access.names()).toEqual({ judge: 'j', judges: ['j'] });
  expect([undefined, false, true, {}].map((target) => mayAskJudge(target))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test('the score counts if every call was answered', async () => {
  const script = accessTo([true, true]);
  expect(await askAll(script, 2)).toEqual(['yes', 'yes']);
  expect(script.review(scored)).toEqual(scored);
});

test('the score counts, with a warning, if some calls were unanswered or over the limit', async () => {
  const script = accessTo([true, false, false], { max_calls: 3 });
  expect(await askAll(script, 3)).toEqual(['yes', 'away', 'away']);
  const earlier = { code: 'other', message: '' };
  expect(script.review({ ...scored, warnings: [earlier] })).toEqual({
    ...scored,
    warnings: [
      earlier,
      {
        code: 'judge_call_failed',
        message: expect.stringMatching(/2 of 3 calls.*: away$/) as string,
        isAboutEvidence: true,
      },
    ],
  });
  const eager = accessTo([true], { max_calls: 1 });
  await askAll(eager, 1);
  eager.access.onRefused({ reason: 'limit', message: 'too many' });
  expect(eager.review(scored)).toMatchObject({
    score: 1,
    warnings: [
      {
        code: 'judge_call_refused',
        message: expect.stringContaining('its 1 judge calls') as string,
        hint: expect.stringContaining('max_calls') as string,
        isAboutEvidence: true,
      },
    ],
  });
});

test('no score counts if no call was answered', async () => {
  const script = accessTo([false]);
  await askAll(script, 1);
  expect(script.review(scored)).toMatchObject({
    error: { kind: 'judge', message: expect.stringContaining('away') as string },
  });
  const error = { error: { kind: 'judge', message: 'mine' } } as const;
  expect(script.review(error)).toBe(error);
});

test('calls of a script that has ended are not answered', async () => {
  const script = accessTo([false]);
  await askAll(script, 1, AbortSignal.abort());
  expect(script.review(scored)).toEqual(scored);
});
