import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usesHosts } from '../agents/host/uses-hosts.ts';
import { CONFIG_NAMES } from '../suites/load/config-names.ts';

/**
 * Whether a run with these arguments will probably call a function of a script, by what they or the text of the config name: its
 * process is then started before anything else is loaded. A wrong guess costs time, and nothing else.
 */
export function expectsHost(args: readonly string[]): boolean {
  if (!usesHosts() || args.some((arg) => NO_CALLS.has(arg))) return false;
  const agent = /(?:^|\n)--agent[=\n]([^\n]*)/.exec(args.join('\n'))?.[1];
  if (agent !== undefined) return /^(?!\s*(?:cmd|https?):).*\.[cm]?[jt]sx?(?::[\w$]+)?\s*$/i.test(agent);
  const text = configText(process.cwd());
  return (
    /\bagent["']?\s*:\s*["'`]?[^\s"'`,]+\.[cm]?[jt]sx?\b/.test(text) &&
    !/\bisolate["']?\s*:\s*false/.test(text)
  );
}

const NO_CALLS = new Set(['--help', '-h', '--list']);

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
