import { didYouMean } from '../schema/did-you-mean.ts';
import { EXIT, type CommandContext, type Output } from './command.ts';
import { commandHelp, generalHelp } from './help.ts';
import { COMMANDS, type CommandDefinition } from './options.ts';
import { parseArguments } from './parse-arguments.ts';
import { complain } from './complain.ts';
import { redactOutput } from './redact-output.ts';

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
  return runCommand(command, { ...context, ...parsed });
}

async function runCommand(
  command: CommandDefinition,
  context: Omit<CommandContext, 'redactor'>,
): Promise<number> {
  const [run, { createProjectRedactor }, { divertForeignOutput }] = await Promise.all([
    command.load(),
    import('./project-redactor.ts'),
    import('./divert-foreign-output.ts'),
  ]);
  const redactor = createProjectRedactor(context.env);
  const stderr = redactOutput(context.stderr, redactor);
  const foreign = divertForeignOutput((text) => stderr.write(text));
  try {
    return await run({ ...context, stderr, redactor });
  } finally {
    foreign.flush();
  }
}

async function usageError(stderr: Output, problem: string, hint: string): Promise<number> {
  await complain(stderr, `${problem}\n  hint: ${hint}`);
  return EXIT.invalid;
}
