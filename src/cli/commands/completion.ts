import { didYouMean } from '../../base/schema/did-you-mean.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { bashCompletion } from '../completion/bash-completion.ts';
import { fishCompletion } from '../completion/fish-completion.ts';
import { SHELLS, type Shell } from '../completion/shell-names.ts';
import { zshCompletion } from '../completion/zsh-completion.ts';
import { listedOptions } from '../help.ts';
import { COMMANDS } from '../options.ts';
import { printError } from '../print-error.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } satisfies Record<
  Shell,
  unknown
>;

/**
 * `assay completion bash`: prints a script that completes commands and options. `assay completion targets` is for the
 * scripts: it prints the names of the project's targets, one on each line.
 */
export async function completion({ positionals, stdout, stderr }: CommandContext): Promise<number> {
  const [name, ...more] = positionals;
  if (name === 'targets' && more.length === 0) {
    const names = await targetNames();
    await stdout.write(names.map((one) => `${one}\n`).join(''));
    return EXIT.ok;
  }
  const shell = SHELLS.find((one) => one === name);
  if (shell === undefined || more.length > 0) {
    const problem = name === undefined || more.length > 0 ? 'which shell?' : `unknown shell "${name}"`;
    const hint = didYouMean(name ?? '', SHELLS) ?? `the shells are ${SHELLS.join(', ')}`;
    await printError(stderr, `${problem}\n  hint: ${hint}`);
    return EXIT.invalid;
  }
  await stdout.write(SCRIPTS[shell](listedCommands()));
  return EXIT.ok;
}

/** Without the options that a command refuses. */
function listedCommands(): typeof COMMANDS {
  return Object.fromEntries(
    Object.entries(COMMANDS).map(([name, command]) => [
      name,
      { ...command, options: Object.fromEntries(listedOptions(command)) },
    ]),
  );
}

/** Names that do not fit on a line cannot be completed. */
async function targetNames(): Promise<readonly string[]> {
  const { targetPlaces } = await import('../../suites/config/target-places.ts');
  const places = await targetPlaces('a suite in this folder');
  // oxlint-disable-next-line no-control-regex
  return [...places.keys()].filter((name) => !/[\0-\x1f\x7f]/.test(name));
}
