import { prepareTest } from '../../api/prepare/prepare-test.ts';
import { TargetError } from '../../suites/config/target-error.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { FindingPrinter } from '../finding-printer.ts';
import { printError } from '../print-error.ts';
import { watchSignals } from '../signals.ts';
import type { PREPARE_OPTIONS } from '../suite-options.ts';

/** `assay prepare TEST DIR`: a workspace for a person or another harness. */
export async function prepare(context: CommandContext<typeof PREPARE_OPTIONS>): Promise<number> {
  const { positionals, options, stdout, stderr, env, redactor } = context;
  const [test, folder] = positionals;
  if (test === undefined || folder === undefined || positionals.length > 2) {
    await printError(stderr, 'prepare takes a test and a folder\n  hint: assay prepare FILE::ID DIR');
    return EXIT.invalid;
  }
  const findings = new FindingPrinter(stderr, { env, redactor });
  try {
    const { id, inputs } = await prepareTest({
      test,
      folder,
      config: options.config,
      allowScripts: options['allow-scripts'],
      signal: watchSignals(stderr),
      onFinding: (finding) => findings.print(finding),
    });
    await findings.end();
    await stdout.write(
      redactor.text(
        `${[`Prepared ${id} in ${folder}`, ...inputs.map((input) => `\n${input}`), '', `Grade it: assay grade --prepared ${folder} --test ${test}`].join('\n')}\n`,
      ),
    );
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    await findings.end();
    await printError(
      stderr,
      error.hint === undefined ? error.message : `${error.message}\n  hint: ${error.hint}`,
    );
    return EXIT.invalid;
  }
}
