import { statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

interface Start {
  /** The file that was started. */
  readonly script: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * How to start Assay again in the same shell: `assay` if the shell finds it, otherwise through the package manager
 * that started it. A message that names a command must name one that works.
 */
export function programName({ script, env }: Start): string {
  const isInstalled = /[\\/]node_modules[\\/]/.test(script);
  // Started by its path, as from a checkout: nothing better is known.
  if (!isInstalled || isOnPath(env)) return 'assay';
  const [manager = ''] = (env['npm_config_user_agent'] ?? '').split('/', 1);
  return Object.hasOwn(RUNNERS, manager) ? RUNNERS[manager]! : 'npx assay';
}

const RUNNERS: Readonly<Record<string, string>> = {
  pnpm: 'pnpm exec assay',
  yarn: 'yarn assay',
  bun: 'bunx assay',
};

/** Package managers add folders to the path of what they start; the shell of the user does not have them. */
function isOnPath(env: Start['env']): boolean {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter);
  return folders.some(
    (folder) =>
      folder !== '' &&
      !/[\\/]node_modules[\\/]/.test(`${folder}/`) &&
      ['assay', 'assay.cmd'].some((name) => isFile(join(folder, name))),
  );
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
