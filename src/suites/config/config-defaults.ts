import { isAbsolute, relative, resolve } from 'node:path';
import type { AssayConfig } from './config.ts';
import { configFolder, findConfig, namedConfig } from './find-config.ts';
import { findProjectRoot } from '../load/project-root.ts';

/** What a config says about the options of a run that are left open. */
export interface ConfigDefaults {
  /** Paths, if none are named. */
  readonly include: readonly string[];
  /** As with `--reporter`. */
  readonly reporter: readonly string[];
  readonly strict: boolean;
  readonly retry?: number | undefined;
}

const NOTHING: ConfigDefaults = { include: [], reporter: [], strict: false };

/**
 * The settings of the config nearest to the current folder that matter before any suite is found. A config with errors has
 * none here: the run itself reports what is wrong with it.
 */
export async function configDefaults(
  named: string | undefined,
  { mayExecute }: { readonly mayExecute: boolean },
): Promise<ConfigDefaults> {
  const root = findProjectRoot(process.cwd());
  const { paths } =
    named === undefined
      ? findConfig(process.cwd(), { root, mayExecute })
      : namedConfig(named, { mayExecute });
  const path = paths.find((one) => !/targets\.ya?ml$/.test(one));
  if (path === undefined) return NOTHING;
  const { loadConfig } = await import('./load-config.ts');
  const { config } = await loadConfig(relative('', path));
  return config === undefined ? NOTHING : defaultsOf(config, relative('', configFolder(path)));
}

function defaultsOf({ include, reporter, strict, retry }: AssayConfig, folder: string): ConfigDefaults {
  return {
    include: asList(include).map((path) => inFolder(path, folder)),
    reporter: asList(reporter).map((spec) => {
      const [name = '', ...file] = spec.split('=');
      if (/^\.{1,2}\//.test(name)) return [moduleIn(name, folder), ...file].join('=');
      return file.length === 0 ? name : `${name}=${inFolder(file.join('='), folder)}`;
    }),
    strict: strict === true,
    retry,
  };
}

function asList(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

/** Paths of a config are relative to its folder. */
function inFolder(path: string, folder: string): string {
  return isAbsolute(path) || path === '-' ? path : relative('', resolve(folder, path)) || '.';
}

function moduleIn(path: string, folder: string): string {
  const found = inFolder(path, folder);
  return found.startsWith('.') ? found : `./${found}`;
}
