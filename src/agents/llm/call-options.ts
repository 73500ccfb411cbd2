import { isJsonObject } from '../../base/model/json.ts';
import type { AiSdk } from './load-ai-sdk.ts';
import type { ModelConfig } from './model-config.ts';

type ProviderOptions = NonNullable<Parameters<AiSdk['generateText']>[0]['providerOptions']>;

/** The settings of a config as the AI SDK names them. */
export function callOptions(config: ModelConfig) {
  const { temperature, top_p, max_tokens, seed } = config;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(top_p === undefined ? {} : { topP: top_p }),
    ...(max_tokens === undefined ? {} : { maxOutputTokens: max_tokens }),
    ...(seed === undefined ? {} : { seed }),
    providerOptions: providerOptions(config),
  };
}

function providerOptions(config: ModelConfig): ProviderOptions {
  const { provider, api, thinking_budget: budgetTokens, provider_options = {} } = config;
  const options: ProviderOptions = {};
  if (provider === 'anthropic' && budgetTokens !== undefined)
    options['anthropic'] = { thinking: { type: 'enabled', budgetTokens } };
  // The Responses API stores its input by default, and then expects references to it instead of the text.
  if ((provider === 'openai' || provider === 'azure') && api !== 'chat') options[provider] = { store: false };
  for (const [name, value] of Object.entries(provider_options)) {
    if (isJsonObject(value)) options[name] = { ...options[name], ...(value as ProviderOptions[string]) };
  }
  return options;
}
