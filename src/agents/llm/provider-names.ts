import { didYouMean } from '../../base/schema/did-you-mean.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { oneOf } from '../../base/schema/values.ts';

export const PROVIDERS = ['openai', 'anthropic', 'google', 'gemini', 'azure', 'openai-compatible'] as const;
export type Provider = (typeof PROVIDERS)[number];

const OTHER_NAMES: Readonly<Record<string, Provider>> = {
  'azure-openai': 'azure',
  'google-gemini': 'gemini',
};

/** Every accepted name of a model's provider. */
export const PROVIDER_NAMES: readonly string[] = [...PROVIDERS, ...Object.keys(OTHER_NAMES)];

/** Assay's name for a provider: capitals do not matter, and some have two names. Other names stay as they are. */
export function providerNamed(written: string): string {
  const name = written.trim().toLowerCase();
  return Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name]! : name;
}

export function isModelProvider(name: string): name is Provider {
  return PROVIDERS.some((provider) => provider === name);
}

export function isGoogle(provider: Provider): boolean {
  return provider === 'google' || provider === 'gemini';
}

const known = oneOf(PROVIDER_NAMES, { hintFor: (word) => didYouMean(word, PROVIDER_NAMES) });

export const providerSchema: Schema<Provider> = {
  ...known,
  read(value, reader) {
    const provider = typeof value === 'string' ? providerNamed(value) : undefined;
    if (provider !== undefined && isModelProvider(provider)) return provider;
    known.read(value, reader);
    return undefined;
  },
};
