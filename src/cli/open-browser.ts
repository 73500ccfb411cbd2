import { spawn } from 'node:child_process';
import type { CommandContext } from './command.ts';
import { isCi } from './is-ci.ts';
import type { Flag } from './option.ts';

/** Opens an address if somebody can see the browser. If that is not possible, the address was printed. */
export function openBrowser(
  address: string,
  { stdout, options, env }: CommandContext<{ 'no-open': Flag }>,
): void {
  if (options['no-open'] || !stdout.isTTY || isCi(env)) return;
  const [program, ...args] = openerOf(env);
  if (program === undefined) return;
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true, windowsHide: true });
  child.on('error', () => {}).unref();
}

/** Without a screen `xdg-open` would start a browser in the terminal. */
function openerOf({ DISPLAY, WAYLAND_DISPLAY }: CommandContext['env']): readonly string[] {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return DISPLAY === undefined && WAYLAND_DISPLAY === undefined ? [] : ['xdg-open'];
}
