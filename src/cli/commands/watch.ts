import { findProjectRoot } from '../../suites/load/project-root.ts';
import { chooseColors } from '../../show/reporters/colors.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { isCi } from '../is-ci.ts';
import { printError } from '../print-error.ts';
import { NOT_WATCHING, type RUN_OPTIONS } from '../run-options.ts';
import { onSignals } from '../signals.ts';
import { watchFiles } from '../watch/file-changes.ts';
import { KeyReader } from '../watch/key-reader.ts';
import { WatchSession } from '../watch/watch-session.ts';

const DEFAULT_ASK_ABOVE = 0.5;
/** Options that are not for the runs, and the filter, which the key `t` replaces. */
const OWN = new Set(['watch', 'changed', 'ask-above', 'grep']);

/** `assay watch`: reruns the tests that a change affects, until `q` or Ctrl-C. */
export async function watch(context: CommandContext<typeof RUN_OPTIONS>): Promise<number> {
  const { stdout, stderr, env, options, positionals, script, given = [] } = context;
  const problem = findProblem(context);
  if (problem !== undefined) {
    await printError(stderr, problem);
    return EXIT.invalid;
  }
  const cwd = process.cwd();
  const folder = findProjectRoot(cwd);
  const session = new WatchSession({
    words: given.filter(({ name }) => !OWN.has(name)).map(({ word }) => word),
    script,
    paths: positionals,
    grep: options.grep ?? '',
    askAbove: options['ask-above'] ?? DEFAULT_ASK_ABOVE,
    folder,
    cwd,
    output: {
      colors: chooseColors({ isTTY: stdout.isTTY, env }),
      get columns() {
        return stdout.columns;
      },
      isDumb: env['TERM'] === 'dumb',
      write: (text) => void stdout.write(text),
    },
    onOutside: (paths) => files.add(paths),
    onReports: (paths) => files.ignore(paths),
  });
  const files = await watchFiles(folder, {
    onChange: (paths) => session.filesChanged(paths),
    onGone: () => session.folderGone(),
    onBack: () => session.folderBack(),
    onProblem: (message) => session.tell(message),
  });
  const hasKeys = process.stdin.isTTY && stdout.isTTY;
  const keys = hasKeys ? new KeyReader(process.stdin, (key) => void session.press(key)) : undefined;
  if (keys !== undefined) session.useKeys(keys);
  onSignals(() => session.stop(EXIT.interrupted));
  session.start();
  const exitCode = await session.ended;
  keys?.close();
  await files.close();
  return exitCode;
}

function findProblem({ options, env }: CommandContext<typeof RUN_OPTIONS>): string | undefined {
  if (isCi(env))
    return '`assay watch` waits for changes, and in CI there are none\n  hint: use `assay run`; set CI=false if this is not CI';
  const unfit = NOT_WATCHING.find((name) => options[name] !== undefined && options[name] !== false);
  return unfit && `--${unfit} cannot be used while watching\n  hint: use it with \`assay run\``;
}
