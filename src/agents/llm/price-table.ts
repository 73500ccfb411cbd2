import type { TokenUsage } from '../../base/model/reply.ts';
import type { ModelConfig } from './model-config.ts';

/** USD per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Input tokens read from a cache; by default the same as `input`. */
  readonly cached?: number | undefined;
}

/** When the table was last compared with the providers' lists. */
const PRICES_AS_OF = '2026-07';

/** List prices of the plain API. Models whose price depends on the length of the prompt are left out on purpose. */
const PRICES: Readonly<Record<string, Readonly<Record<string, Price>>>> = {
  openai: {
    'gpt-5': { input: 1.25, output: 10, cached: 0.125 },
    'gpt-5.1': { input: 1.25, output: 10, cached: 0.125 },
    'gpt-5.2': { input: 1.75, output: 14, cached: 0.175 },
    'gpt-5.4-mini': { input: 0.75, output: 4.5, cached: 0.075 },
    'gpt-5.4-nano': { input: 0.2, output: 1.25, cached: 0.02 },
    'gpt-5-mini': { input: 0.25, output: 2, cached: 0.025 },
    'gpt-5-nano': { input: 0.05, output: 0.4, cached: 0.005 },
    'gpt-4.1': { input: 2, output: 8, cached: 0.5 },
    'gpt-4.1-mini': { input: 0.4, output: 1.6, cached: 0.1 },
    'gpt-4.1-nano': { input: 0.1, output: 0.4, cached: 0.025 },
    'gpt-4o': { input: 2.5, output: 10, cached: 1.25 },
    'gpt-4o-2024-05-13': { input: 5, output: 15 },
    'gpt-4o-mini': { input: 0.15, output: 0.6, cached: 0.075 },
    'text-embedding-3-small': { input: 0.02, output: 0 },
    'text-embedding-3-large': { input: 0.13, output: 0 },
    'text-embedding-ada-002': { input: 0.1, output: 0 },
    o3: { input: 2, output: 8, cached: 0.5 },
    'o4-mini': { input: 1.1, output: 4.4, cached: 0.275 },
  },
  anthropic: {
    'claude-opus-5': { input: 5, output: 25, cached: 0.5 },
    'claude-opus-4-5': { input: 5, output: 25, cached: 0.5 },
    'claude-opus-4-1': { input: 15, output: 75, cached: 1.5 },
    'claude-sonnet-5': { input: 2, output: 10, cached: 0.2 },
    'claude-sonnet-4-6': { input: 3, output: 15, cached: 0.3 },
    'claude-sonnet-4-5': { input: 3, output: 15, cached: 0.3 },
    'claude-haiku-4-5': { input: 1, output: 5, cached: 0.1 },
  },
  google: {
    'gemini-2.5-flash': { input: 0.3, output: 2.5, cached: 0.03 },
    'gemini-embedding-001': { input: 0.15, output: 0 },
    'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cached: 0.01 },
  },
  xai: {
    'grok-3': { input: 3, output: 15, cached: 0.75 },
    'grok-3-mini': { input: 0.3, output: 0.5, cached: 0.075 },
    'grok-code-fast-1': { input: 0.2, output: 1.5, cached: 0.02 },
  },
  mistral: {
    'mistral-large': { input: 0.5, output: 1.5 },
    'mistral-large-2512': { input: 0.5, output: 1.5 },
    'mistral-medium': { input: 1.5, output: 7.5 },
    'mistral-medium-2508': { input: 0.4, output: 2 },
    'mistral-small': { input: 0.15, output: 0.6 },
    'magistral-medium': { input: 2, output: 5 },
    'mistral-embed': { input: 0.1, output: 0 },
    codestral: { input: 0.3, output: 0.9 },
    'ministral-3b': { input: 0.04, output: 0.04 },
    'ministral-8b': { input: 0.1, output: 0.1 },
  },
};

/**
 * The price of a model: from the config, else from the table. Undefined if unknown. A custom address may be a proxy
 * or another model under a known name, so the table does not apply to it.
 */
export function priceOf({ provider, model, base_url, price }: ModelConfig): Price | undefined {
  if (price !== undefined) return price;
  if (base_url !== undefined) return undefined;
  const prices = PRICES[provider === 'gemini' ? 'google' : provider] ?? {};
  for (const name of [model, model.replace(DATED, '')]) if (Object.hasOwn(prices, name)) return prices[name];
  return undefined;
}

/** What a model costs by its name alone, where nobody says whose it is: providers share no names. */
export function priceOfModel(name: string, own: Readonly<Record<string, Price>> = {}): Price | undefined {
  for (const known of [name, name.replace(DATED, '')]) if (Object.hasOwn(own, known)) return own[known];
  const model = name.slice(name.lastIndexOf('/') + 1);
  for (const provider of Object.keys(PRICES)) {
    const price = priceOf({ provider, model } as ModelConfig);
    if (price !== undefined) return price;
  }
  return undefined;
}

/** `gpt-4o-2024-08-06`, `claude-sonnet-4-5-20250929`, `...-latest`. */
const DATED = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/;

/** Undefined if the price or the usage is unknown: an unknown cost is not 0. */
export function costOf(usage: TokenUsage | undefined, price: Price | undefined): number | undefined {
  if (usage === undefined || price === undefined) return undefined;
  const { input, output, cached = 0 } = usage;
  return (input * price.input + cached * (price.cached ?? price.input) + output * price.output) / 1e6;
}

export function unknownPrice({ model }: ModelConfig): string {
  return `the cost is unknown: Assay has no price for the model "${model}" (prices as of ${PRICES_AS_OF}); set \`price: { input, output }\` (USD per million tokens)`;
}
