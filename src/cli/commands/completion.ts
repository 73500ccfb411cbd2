import { didYouMean } from '../../schema/did-you-mean.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { bashCompletion } from '../completion/bash-completion.ts';
import { fishCompletion } from '../completion/fish-completion.ts';
import { SHELLS, type Shell } from '../completion/shell-names.ts';
import { zshCompletion } from '../completion/zsh-completion.ts';
import { COMMANDS } from '../options.ts';
import { printError } from '../print-error.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } satisfies Record<
  Shell,
  unknown
>;

/** `assay completion bash`: prints a script that completes commands and options. */
export async function completion({ positionals, stdout, stderr }: CommandContext): Promise<number> {
  const [name, ...more] = positionals;
  const shell = SHELLS.find((one) => one === name);
  if (shell === undefined || more.length > 0) {
    const problem = name === undefined || more.length > 0 ? 'which shell?' : `unknown shell "${name}"`;
    const hint = didYouMean(name ?? '', SHELLS) ?? `the shells are ${SHELLS.join(', ')}`;
    await printError(stderr, `${problem}\n  hint: ${hint}`);
    return EXIT.invalid;
  }
  await stdout.write(SCRIPTS[shell](COMMANDS));
  return EXIT.ok;
}
