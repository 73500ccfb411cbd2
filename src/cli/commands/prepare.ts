import { prepareTest } from '../../api/prepare/prepare-test.ts';
import { shellWord } from '../../base/model/shell-word.ts';
import { TargetError } from '../../suites/config/target-error.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { FindingPrinter } from '../finding-printer.ts';
import { printError } from '../print-error.ts';
import { watchSignals } from '../signals.ts';
import type { PREPARE_OPTIONS } from '../suite-options.ts';
import { explainStop } from '../explain-stop.ts';

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
    const allowed = options['allow-scripts'] === true ? ' --allow-scripts' : '';
    const grade = `assay grade --prepared ${shellWord(folder)} --test ${shellWord(test)}${allowed}`;
    const lines = [
      `Prepared ${id} in ${folder}`,
      ...inputs.map((input) => `\n${input}`),
      '',
      `Grade it: ${grade}`,
    ];
    await stdout.write(redactor.text(`${lines.join('\n')}\n`));
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    await findings.end();
    await printError(stderr, explainStop(error)!);
    return EXIT.invalid;
  }
}
