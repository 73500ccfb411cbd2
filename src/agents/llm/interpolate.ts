import type { Environment } from './create-model.ts';

/** A variable of a target that is not set. */
export class UnsetVariable extends Error {
  readonly variable: string;

  constructor(variable: string) {
    super(`the variable ${variable} is not set`);
    this.variable = variable;
  }
}

/** A config value with `${{ NAME }}` in its strings replaced by values from the environment. */
export function interpolate<T>(value: T, env: Environment): T {
  if (typeof value === 'string') return interpolateText(value, env) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => interpolate(item, env)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, interpolate(item as unknown, env)]),
  ) as T;
}

function interpolateText(text: string, env: Environment): string {
  return text.replaceAll(/\$\{\{\s*([\w-]+)\s*\}\}/g, (_written, name: string) => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined || value === '') throw new UnsetVariable(name);
    return value;
  });
}
