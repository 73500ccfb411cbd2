import { inspect } from 'node:util';
import { endCommand } from '../base/system/command-end.ts';
import { hasUserCode, noteUncaught } from '../base/system/user-code.ts';
import { didYouMean } from '../base/schema/did-you-mean.ts';
import { EXIT, type CommandContext, type Output } from './command.ts';
import { commandHelp, generalHelp } from './help.ts';
import type { OptionTable } from './option.ts';
import { COMMANDS, type CommandDefinition } from './options.ts';
import { parseArguments, type ParsedArguments } from './parse-arguments.ts';
import { printError } from './print-error.ts';
import { redactOutput } from './redact-output.ts';
import { rememberListeners } from './remember-listeners.ts';
import { useCompileCache } from '../base/files/use-compile-cache.ts';

interface MainContext extends Pick<CommandContext, 'stdout' | 'stderr' | 'env' | 'script'> {
  readonly version: string;
  /** Called with an uncaught error that can only be our own. */
  readonly onDefect: (error: unknown) => void;
  /** Given if the process ends after this command: what guards it stays until then. */
  readonly untilExit?: (leave: () => void) => void;
}

/** Runs a command line and returns the exit code. Another one may follow in the same process, but not at the same time. */
export async function main(argv: readonly string[], context: MainContext): Promise<number> {
  const { stdout, version } = context;
  // `assay help run` is `assay run --help`.
  const [name, ...rest] = argv[0] === 'help' && argv[1] !== undefined ? [argv[1], '--help'] : argv;
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
      context,
      `unknown ${what} ${name}`,
      otherCommand(name) ?? didYouMean(name, Object.keys(COMMANDS)) ?? '`assay --help` lists the commands',
    );
  }
  const parsed = parseArguments(rest, command.options);
  if ('problem' in parsed)
    return usageError(context, parsed.problem, parsed.hint ?? `\`assay ${name} --help\` lists the options`);
  if ('help' in parsed.options && parsed.options['help'] === true) {
    await stdout.write(commandHelp(command));
    return EXIT.ok;
  }
  const hasColors = !('no-color' in parsed.options && parsed.options['no-color'] === true);
  const env = hasColors ? context.env : { ...context.env, NO_COLOR: '1', FORCE_COLOR: undefined };
  const restoreListeners = rememberListeners();
  await useCompileCache(name);
  return runCommand(command, { restoreListeners, ...context, env, ...parsed, argv: rest });
}

async function runCommand(
  command: CommandDefinition,
  {
    restoreListeners,
    ...context
  }: MainContext &
    ParsedArguments<OptionTable> &
    Pick<CommandContext, 'argv'> & { readonly restoreListeners: () => void },
): Promise<number> {
  const [run, { createProjectRedactor }, { divertForeignOutput }, { programName }, { createSharedTerminal }] =
    await Promise.all([
      command.load(),
      import('./project-redactor.ts'),
      import('./divert-foreign-output.ts'),
      import('./program-name.ts'),
      import('./shared-terminal.ts'),
    ]);
  const terminal = createSharedTerminal();
  const program = programName(context);
  const redactor = createProjectRedactor(context.env);
  const stderr = redactOutput(terminal.share(context.stderr), redactor);
  catchUncaught(stderr, context.onDefect);
  const foreign = divertForeignOutput((text) => stderr.write(text));
  try {
    return await run({ ...context, stderr, redactor, program, onOtherOutput: terminal.onOutput });
  } catch (error) {
    // Every command that takes a run may get an ambiguous id.
    const { AmbiguousRun } = await import('../runs/journal/ambiguous-run.ts');
    if (!(error instanceof AmbiguousRun)) throw error;
    await printError(stderr, `${error.message}\n  hint: ${error.hint}`);
    return EXIT.invalid;
  } finally {
    foreign.flush();
    const leave = (): void => {
      endCommand();
      foreign.restore();
      restoreListeners();
    };
    if (context.untilExit === undefined) leave();
    else context.untilExit(leave);
  }
}

/** An error that nobody caught is one of the run, if it may be of code of users; else it is a defect of Assay. */
function catchUncaught(stderr: Output, onDefect: (error: unknown) => void): void {
  process.on('uncaughtException', (error) => {
    if (!hasUserCode()) return onDefect(error);
    noteUncaught(error);
    void printError(stderr, `code in the process of Assay caused an uncaught error: ${inspect(error)}`);
  });
}

async function usageError({ stderr, env }: MainContext, problem: string, hint: string): Promise<number> {
  const { createProjectRedactor } = await import('./project-redactor.ts');
  await printError(redactOutput(stderr, createProjectRedactor(env)), `${problem}\n  hint: ${hint}`);
  return EXIT.invalid;
}

/** What other tools call our commands, and what people type first. */
function otherCommand(name: string): string | undefined {
  if (Object.hasOwn(OTHER_COMMANDS, name)) return `did you mean \`${OTHER_COMMANDS[name]}\`?`;
  // A path in the place of the command.
  return /[\\/]|\.(?:ya?ml|jsonl?)(?::\d+)?$/i.test(name) ? `did you mean \`run ${name}\`?` : undefined;
}

const OTHER_COMMANDS: Readonly<Record<string, string>> = {
  test: 'run',
  tests: 'run',
  eval: 'run',
  start: 'run',
  list: 'run --list',
  ls: 'run --list',
  resume: 'run --resume',
  update: 'run --update',
  import: 'convert',
  lint: 'validate',
  open: 'view',
  ui: 'view',
  serve: 'view',
  diff: 'compare',
  clean: 'prune',
  gc: 'prune',
};
