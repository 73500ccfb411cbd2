import type { LanguageModel } from 'ai';
import { azureAddress } from './azure-address.ts';
import { guardedFetch, type WrapFetch } from './guarded-fetch.ts';
import { loadAiSdk, type AiSdk } from './load-ai-sdk.ts';
import type { ModelConfig } from './model-config.ts';
import { ModelError } from './model-error.ts';
import type { Provider } from './provider-names.ts';
import { resolveVariables } from './resolve-variables.ts';
import { withoutUnset } from './unset-options.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A model that can be called. The AI SDK behind it is loaded with the first call. */
export interface Model {
  /** With resolved variables. */
  readonly config: ModelConfig;
  /** Never shown: the key, and headers that contain one. */
  readonly secrets: readonly string[];
  load(
    wrapFetch?: WrapFetch,
  ): Promise<{ readonly sdk: AiSdk; readonly languageModel: Exclude<LanguageModel, string> }>;
}

/** Throws a ModelError of kind `setup` or `unset` for mistakes that are visible without a call. */
export function createModel(authored: ModelConfig, env: Environment): Model {
  const config = withAddress(resolveVariables(withoutUnset(authored, env).config, env), env);
  const apiKey = config.api_key ?? firstSet(env, KEY_NAMES[config.provider]);
  checkSetup(config, apiKey);
  return {
    config,
    secrets: [...(apiKey === undefined ? [] : [apiKey]), ...secretHeaders(config.headers ?? {})],
    async load(wrapFetch = (send) => send) {
      const sdk = await loadAiSdk();
      const fetch = wrapFetch(guardedFetch);
      return { sdk, languageModel: createLanguageModel(sdk, config, { apiKey, fetch }) };
    },
  };
}

const KEY_NAMES: Readonly<Record<Provider, readonly string[]>> = {
  openai: ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  gemini: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  azure: ['AZURE_API_KEY', 'AZURE_OPENAI_API_KEY'],
  'openai-compatible': [],
};

/** The providers' own SDKs read these too. */
function withAddress(config: ModelConfig, env: Environment): ModelConfig {
  if (config.provider === 'azure') return { ...config, api: azureAddress(config).api };
  const name = { openai: 'OPENAI_BASE_URL', anthropic: 'ANTHROPIC_BASE_URL' }[config.provider as string];
  const base_url = config.base_url ?? (name === undefined ? undefined : firstSet(env, [name]));
  return { ...config, base_url };
}

function firstSet(env: Environment, names: readonly string[]): string | undefined {
  return names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
}

/**
 * The values of headers that contain keys, and the last word of each: `Bearer ...` may be quoted without its first.
 */
function secretHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers)
    .filter(([name]) => /auth|key|token|secret|cookie/i.test(name))
    .flatMap(([, value]) => [value, value.split(' ').at(-1)!]);
}

function checkSetup(config: ModelConfig, apiKey: string | undefined): void {
  const { provider, base_url, resource_name, endpoint } = config;
  const [keyName] = KEY_NAMES[provider];
  if (apiKey === undefined && keyName !== undefined) {
    throw new ModelError(
      'unset',
      `there is no API key for ${provider}: set ${keyName}, or \`api_key: \${{ ${keyName} }}\` in the config`,
    );
  }
  if (base_url !== undefined && !(/^https?:\/\//i.test(base_url) && URL.canParse(base_url))) {
    throw new ModelError('setup', `\`base_url\` must begin with http:// or https://, but is "${base_url}"`);
  }
  if (provider === 'openai-compatible' && base_url === undefined) {
    throw new ModelError(
      'setup',
      'an openai-compatible model needs `base_url`, such as http://localhost:8000/v1',
    );
  }
  if (provider === 'azure' && [base_url, resource_name, endpoint].every((name) => name === undefined)) {
    throw new ModelError('setup', 'an azure model needs `endpoint`, `resource_name` or `base_url`');
  }
}

function createLanguageModel(
  sdk: AiSdk,
  config: ModelConfig,
  { apiKey, fetch }: { readonly apiKey: string | undefined; readonly fetch: typeof globalThis.fetch },
): Exclude<LanguageModel, string> {
  const { provider, model } = config;
  const settings = {
    fetch,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(config.base_url === undefined ? {} : { baseURL: config.base_url }),
    ...(config.headers === undefined ? {} : { headers: { ...config.headers } }),
  };
  switch (provider) {
    case 'openai': {
      const openai = sdk.createOpenAI(settings);
      return config.api === 'chat' ? openai.chat(model) : openai.responses(model);
    }
    case 'anthropic':
      return sdk.createAnthropic(settings).languageModel(model);
    case 'google':
    case 'gemini':
      return sdk.createGoogleGenerativeAI(settings).languageModel(model);
    case 'azure':
      return createAzureModel(sdk, config, settings);
    case 'openai-compatible': {
      const { base_url: baseURL = '', structured_outputs: supportsStructuredOutputs = true } = config;
      return sdk
        .createOpenAICompatible({ ...settings, name: provider, baseURL, supportsStructuredOutputs })
        .chatModel(model);
    }
  }
}

function createAzureModel(
  sdk: AiSdk,
  config: ModelConfig,
  settings: Parameters<AiSdk['createAzure']>[0],
): Exclude<LanguageModel, string> {
  const { baseURL, resourceName, apiVersion, useDeploymentBasedUrls, api } = azureAddress(config);
  const azure = sdk.createAzure({
    ...settings,
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(resourceName === undefined ? {} : { resourceName }),
    ...(apiVersion === undefined ? {} : { apiVersion }),
    useDeploymentBasedUrls,
  });
  // It becomes a part of the path, and a name may hold anything.
  const name = useDeploymentBasedUrls ? encodeURIComponent(config.model) : config.model;
  return api === 'chat' ? azure.chat(name) : azure.responses(name);
}
