import { relative } from 'node:path';
import type { AssayConfig } from '../suites/config/config.ts';
import { findConfig } from '../suites/config/find-config.ts';
import { findProjectRoot } from '../suites/load/project-root.ts';
import type { CommandContext } from './command.ts';
import { printError } from './print-error.ts';
import type { Flag } from './option.ts';

/**
 * For commands that only read: their output may contain secrets that only the project's config names. Returns the configs that
 * could be read.
 */
export async function learnSecrets({
  options,
  stderr,
  redactor,
}: CommandContext<{ 'trust-config': Flag }>): Promise<readonly AssayConfig[]> {
  const root = findProjectRoot(process.cwd());
  const { paths, findings } = findConfig(root, { root, mayExecute: options['trust-config'] });
  for (const { file, message, hint } of findings)
    await printError(
      stderr,
      `${file}: ${message}\n  hint: ${hint} (secrets that only it names are not redacted)`,
    );
  const configs: AssayConfig[] = [];
  if (paths.length === 0) return configs;
  const { loadConfig } = await import('../suites/config/load-config.ts');
  for (const path of paths) {
    const { config, raw } = await loadConfig(relative('', path));
    if (config === undefined)
      await printError(stderr, 'the config has errors, so secrets that only it names are not redacted');
    else {
      redactor.learn(config.secrets ?? [], raw);
      configs.push(config);
    }
  }
  return configs;
}
