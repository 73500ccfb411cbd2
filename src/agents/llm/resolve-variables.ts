import type { Environment } from './create-model.ts';
import type { ModelConfig } from './model-config.ts';
import { interpolate, UnsetVariable } from './interpolate.ts';
import { ModelError } from './model-error.ts';

/** The config with `${{ NAME }}` replaced by values from the environment, when the model is used and not before. */
export function resolveVariables(config: ModelConfig, env: Environment): ModelConfig {
  const resolved: Record<string, unknown> = { ...config };
  for (const field of ['model', 'api_key', 'base_url', 'endpoint', 'resource_name', 'api_version'] as const) {
    const value = config[field];
    if (value !== undefined) resolved[field] = resolve(value, field, env);
  }
  if (config.headers !== undefined) {
    const entries = Object.entries(config.headers).map(([name, value]) => [
      name,
      resolve(value, `headers.${name}`, env),
    ]);
    resolved['headers'] = Object.fromEntries(entries);
  }
  return resolved as unknown as ModelConfig;
}

function resolve(text: string, field: string, env: Environment): string {
  try {
    return interpolate(text, env);
  } catch (error) {
    if (!(error instanceof UnsetVariable)) throw error;
    const message = `\`${field}\` needs the variable ${error.variable}, but it is not set: set it in the environment or in .env`;
    throw new ModelError('unset', message);
  }
}
