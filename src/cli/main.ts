import { didYouMean } from '../schema/did-you-mean.ts';
import { EXIT, type CommandContext, type Output } from './command.ts';
import { commandHelp, generalHelp } from './help.ts';
import { COMMANDS } from './options.ts';
import { parseArguments } from './parse-arguments.ts';
import { useCompileCache } from './use-compile-cache.ts';

interface MainContext extends Pick<CommandContext, 'stdout' | 'stderr' | 'env'> {
  readonly version: string;
}

/** Runs a command line and answers with the exit code. */
export async function main(argv: readonly string[], context: MainContext): Promise<number> {
  const { stdout, stderr, version } = context;
  const [name, ...rest] = argv;
  if (name === '--version' || name === '-v') {
    await stdout.write(`${version}\n`);
    return EXIT.ok;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    await stdout.write(generalHelp());
    return name === undefined ? EXIT.invalid : EXIT.ok;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const what = name.startsWith('-') ? 'option' : 'command';
    return usageError(
      stderr,
      `unknown ${what} ${name}`,
      didYouMean(name, Object.keys(COMMANDS)) ?? '`assay --help` lists the commands',
    );
  }
  const parsed = parseArguments(rest, command.options);
  if ('problem' in parsed)
    return usageError(stderr, parsed.problem, parsed.hint ?? `\`assay ${name} --help\` lists the options`);
  if (parsed.options['help'] === true) {
    await stdout.write(commandHelp(command));
    return EXIT.ok;
  }
  useCompileCache();
  const run = await command.load();
  return run({ ...context, ...parsed });
}

async function usageError(stderr: Output, problem: string, hint: string): Promise<number> {
  await stderr.write(`assay: ${problem}\n  hint: ${hint}\n`);
  return EXIT.invalid;
}
