import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI } from '../project.ts';

/** What the process of the CLI says about itself when it exits. */
export interface Probe {
  readonly maxRssMb: number;
  readonly openFiles: number;
  readonly listeners: number;
  /** What keeps the loop alive, by kind. */
  readonly resources: readonly string[];
  readonly warnings: readonly string[];
}

const SOURCE = `
import { readdirSync, writeFileSync } from 'node:fs';
if (process.argv[1] === process.env.PROBED) {
  const warnings = [];
  process.on('warning', ({ name, message }) => warnings.push(name + ': ' + message));
  process.on('exit', () => {
    writeFileSync(process.env.PROBE_FILE, JSON.stringify({
      maxRssMb: process.resourceUsage().maxRSS / 1024,
      openFiles: readdirSync('/proc/self/fd').length,
      listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
      resources: process.getActiveResourcesInfo(),
      warnings,
    }));
  });
}`;

/** Looks at the CLI from within, by what Node lets one load before it. */
export function createProbe(folder: string): { readonly env: Record<string, string>; read(): Probe } {
  const module = join(folder, 'probe.mjs');
  const file = join(folder, 'probe.json');
  writeFileSync(module, SOURCE);
  return {
    env: { NODE_OPTIONS: `--import=${module}`, PROBED: CLI, PROBE_FILE: file },
    read: () => JSON.parse(readFileSync(file, 'utf8')) as Probe,
  };
}
