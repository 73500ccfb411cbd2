// Which file of src and which package is in which file of dist: so that a change shows what it moves, above all into what every
// start loads.
import { relative } from 'node:path';
import { rolldown } from 'rolldown';
import configs from '../rolldown.config.ts';

export async function chunkList(): Promise<string> {
  const lines = new Set<string>();
  for (const { output, ...input } of configs) {
    // Only where modules go matters: no plugin that writes, and no minifying.
    const bundle = await rolldown({ ...input, logLevel: 'silent' });
    const { output: chunks } = await bundle.generate({ ...output, minify: false });
    await bundle.close();
    for (const chunk of chunks) {
      if (chunk.type !== 'chunk') continue;
      const file = chunk.isEntry ? chunk.name : `chunks/${chunk.name}`;
      for (const id of chunk.moduleIds) if (!id.startsWith('\0')) lines.add(`${nameOf(id)} ${file}`);
    }
  }
  return `${[...lines].sort().join('\n')}\n`;
}

function nameOf(id: string): string {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? relative('.', id);
}
