import { resolve } from 'node:path';
import { createRootFinder } from '../load/project-root.ts';
import type { Place } from '../../base/model/place.ts';
import { ConfigFiles } from './config-files.ts';

/** The targets that suites in a folder can name, with their places. A config that is code is not executed: it has none. */
export async function targetPlaces(path: string): Promise<ReadonlyMap<string, Place>> {
  const places = new Map<string, Place>();
  try {
    const rootOf = createRootFinder(process.cwd());
    const configs = new ConfigFiles({ rootOf, mayExecute: false, onSecrets: () => undefined });
    const { joined } = await configs.of(path);
    for (const { path: config, loaded } of joined.files) {
      const file = resolve(config);
      if (loaded.config?.agent !== undefined && !places.has('default'))
        places.set('default', { file, line: 1, column: 1 });
      for (const [name, place] of loaded.targetPlaces)
        if (!places.has(name)) places.set(name, { ...place, file });
    }
  } catch {
    // A folder that cannot be read has no targets.
  }
  return places;
}
