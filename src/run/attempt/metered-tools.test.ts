import { expect, test } from 'vitest';
import { MeteredTools } from './metered-tools.ts';

const SPENT = { token_usage: { input: 5, output: 1 }, cost_usd: 0.5 };

/** The tools of an assertion whose judge answers as listed. */
function tools(...answers: readonly (object | Error)[]): MeteredTools {
  const left = [...answers];
  const answer = (): Promise<never> => {
    const next = left.shift()!;
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next as never);
  };
  return new MeteredTools({ assess: answer, ask: answer } as never, () => Promise.resolve([]) as never);
}

test('costs of judges are summed, and a cached answer costs nothing', async () => {
  const metered = tools(SPENT, { ...SPENT, isCached: true }, { ...SPENT, isCached: false });
  expect(metered.use()).toBeUndefined();
  const request = { system: 'Be fair.', prompt: 'Is it good?', schema: { type: 'object' } } as never;
  await metered.assess(request);
  await metered.assess(request);
  await metered.ask({ prompt: 'Why?' }, new AbortController().signal);
  expect(metered.use()).toEqual({
    judge_prompts: [
      { system: 'text:"Be fair."', prompt: 'text:"Is it good?"', schema: 'text:{"type":"object"}' },
      { prompt: 'text:"Why?"' },
    ],
    judge_calls: 3,
    judge_token_usage: { input: 10, output: 2 },
    judge_cost_usd: 1,
  });
});

test('a failed call costs what it reports, and does not count if it reports nothing', async () => {
  const metered = tools(new Error('away'), Object.assign(new Error('odd answer'), { spent: SPENT }), {});
  await expect(metered.assess({} as never)).rejects.toThrow('away');
  expect(metered.use()).toBeUndefined();
  await expect(metered.assess({} as never)).rejects.toThrow('odd answer');
  expect(metered.use()).toMatchObject({
    judge_calls: 1,
    judge_token_usage: SPENT.token_usage,
    judge_cost_usd: 0.5,
  });
  await metered.assess({} as never);
  expect(metered.use()).toMatchObject({
    judge_calls: 2,
    judge_token_usage: undefined,
    judge_cost_usd: undefined,
  });
});
