import type { Environment } from './create-model.ts';
import type { ModelConfig } from './model-config.ts';
import { DEFAULT_GOOGLE_MODEL } from './model-object.ts';
import { isGoogle } from './provider-names.ts';

/** An optional setting that consists only of a variable that is not set. */
export interface UnsetOption {
  /** `cwd`, `healthcheck.cwd`. */
  readonly key: string;
  readonly variable: string;
  /** The value used instead: "the suite's folder". */
  readonly instead: string;
}

/** The variable that a string consists of, if it is not set or blank. */
export function unsetVariable(value: unknown, env: Environment): string | undefined {
  const [, name] = (typeof value === 'string' ? /^\s*\$\{\{\s*([\w-]+)\s*\}\}\s*$/.exec(value) : null) ?? [];
  if (name === undefined) return undefined;
  const set = Object.hasOwn(env, name) ? env[name] : undefined;
  return set === undefined || set.trim() === '' ? name : undefined;
}

/**
 * A model without the optional settings whose variables are not set. A setting without a default stays, and is an
 * error.
 */
export function withoutUnset<T extends ModelConfig>(
  config: T,
  env: Environment,
): { readonly config: T; readonly unset: readonly UnsetOption[] } {
  const { provider, api_version, ...others } = config;
  const version = provider === 'azure' ? unsetVariable(api_version, env) : undefined;
  if (version !== undefined)
    return {
      config: { provider, ...others } as T,
      unset: [{ key: 'api_version', variable: version, instead: 'the default version' }],
    };
  const name = isGoogle(provider) ? unsetVariable(config.model, env) : undefined;
  if (name === undefined) return { config, unset: [] };
  return {
    config: { ...config, model: DEFAULT_GOOGLE_MODEL },
    unset: [{ key: 'model', variable: name, instead: DEFAULT_GOOGLE_MODEL }],
  };
}
