import { describe, expect, test } from 'vitest';
import { redactorOf } from '../../base/match/redact-secrets.ts';
import { createModel } from './create-model.ts';
import { costOf, priceOf, priceOfModel } from './price-table.ts';

test.each([
  ['grok-3-mini', 0.3],
  ['x-ai/grok-code-fast-1', 0.2],
  ['mistral-medium-latest', 1.5],
  ['mistral-medium-2508', 0.4],
  // Its price depends on the length of the prompt.
  ['grok-4', undefined],
])('the price of %s, whoever serves it', (model, input) => {
  expect(priceOfModel(model)?.input).toBe(input);
});

describe('priceOf', () => {
  test.each([
    ['openai', 'gpt-4o-mini', 0.15],
    ['openai', 'gpt-4o-mini-2024-07-18', 0.15],
    ['openai', 'gpt-4o-2024-05-13', 5],
    ['anthropic', 'claude-sonnet-4-5-20250929', 3],
    ['gemini', 'gemini-2.5-flash', 0.3],
    ['openai', 'constructor', undefined],
    ['openai', 'gpt-9', undefined],
    ['azure', 'gpt-4o', undefined],
  ] as const)('%s %s', (provider, model, input) => {
    expect(priceOf({ provider, model })?.input).toBe(input);
  });

  test("the config's price wins; the table has no price for a custom address", () => {
    expect(priceOf({ provider: 'openai', model: 'gpt-4o', base_url: 'http://localhost/v1' })).toBeUndefined();
    expect(
      priceOf({
        provider: 'openai',
        model: 'gpt-4o',
        base_url: 'http://localhost/v1',
        price: { input: 1, output: 2 },
      }),
    ).toEqual({ input: 1, output: 2 });
  });
});

describe('costOf', () => {
  test('is unknown if the usage or the price is unknown', () => {
    expect(costOf(undefined, { input: 1, output: 1 })).toBeUndefined();
    expect(costOf({ input: 1, output: 1 }, undefined)).toBeUndefined();
    expect(costOf({ input: 0, output: 0 }, { input: 1, output: 1 })).toBe(0);
  });

  test('counts cached tokens at their own price, or else as input tokens', () => {
    const usage = { input: 1_000_000, output: 0, cached: 1_000_000 };
    expect(costOf(usage, { input: 2, output: 1, cached: 0.5 })).toBe(2.5);
    expect(costOf(usage, { input: 2, output: 1 })).toBe(4);
  });
});

describe('createModel', () => {
  const config = {
    provider: 'openai',
    model: 'm',
    api_key: '${{ MY_KEY }}',
    headers: { 'x-token': 'Bearer ${{ TOKEN }}' },
  } as const;

  test('resolves variables when it is created, and knows which values are secret', () => {
    const { config: resolved, secrets } = createModel(config, { MY_KEY: 'sk-123456', TOKEN: 'tok-abcd' });
    expect(resolved).toMatchObject({ api_key: 'sk-123456', headers: { 'x-token': 'Bearer tok-abcd' } });
    expect(redactorOf(secrets).text('sk-123456 / Bearer tok-abcd / tok-abcd')).toBe(
      '[redacted] / [redacted] / [redacted]',
    );
  });

  test('an unset variable is named', () => {
    expect(() => createModel(config, { TOKEN: 'x' })).toThrow('`api_key` needs the variable MY_KEY');
  });

  test("without a key, the provider's usual variable is used", () => {
    expect(createModel({ provider: 'gemini', model: 'm' }, { GEMINI_API_KEY: 'g-123456' }).secrets).toEqual([
      'g-123456',
    ]);
  });
});
