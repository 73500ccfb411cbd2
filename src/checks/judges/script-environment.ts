const ENV_NAMES = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR'];

/** What code that a suite names gets of the environment: a small part, and no keys. `names` are added by the config. */
export function scriptEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[] = [],
): NodeJS.ProcessEnv {
  const reduced: NodeJS.ProcessEnv = {};
  for (const name of [...ENV_NAMES, ...names]) if (env[name] !== undefined) reduced[name] = env[name];
  return reduced;
}
