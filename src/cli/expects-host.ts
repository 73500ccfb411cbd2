import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usesHosts } from '../agents/host/uses-hosts.ts';
import { CONFIG_NAMES } from '../suites/load/config-names.ts';

/**
 * Whether a run will probably call a function of a script, by what the command line or the text of the config names: its process is
 * then started before the config and the suites are read. A wrong guess costs time, and nothing else.
 */
export function expectsHost(agent: unknown): boolean {
  if (!usesHosts()) return false;
  if (typeof agent === 'string')
    return /^(?!\s*(?:cmd|https?):).*\.[cm]?[jt]sx?(?::[\w$]+)?\s*$/is.test(agent);
  const text = configText(process.cwd());
  return (
    /\bagent["']?\s*:\s*["'`]?[^\s"'`,]+\.[cm]?[jt]sx?\b/.test(text) &&
    !/\bisolate["']?\s*:\s*false/.test(text)
  );
}

function configText(folder: string): string {
  for (const name of CONFIG_NAMES) {
    try {
      return readFileSync(join(folder, name), 'utf8');
    } catch {
      // Most of them do not exist.
    }
  }
  const above = dirname(folder);
  return above === folder ? '' : configText(above);
}
