import { gradePrepared } from '../api/prepare/grade-prepared.ts';
import { chooseColors } from '../show/reporters/colors.ts';
import { attemptLine } from '../show/reporters/attempt-lines.ts';
import { workspaceLines } from '../show/reporters/workspace-lines.ts';
import { escapeLine } from '../show/reporters/terminal-text.ts';
import { TargetError } from '../suites/config/target-error.ts';
import { EXIT, type CommandContext } from './command.ts';
import { FindingPrinter } from './finding-printer.ts';
import { printError } from './print-error.ts';
import type { GRADE_OPTIONS } from './recorded-run-options.ts';
import { watchSignals } from './signals.ts';
import { explainStop } from './explain-stop.ts';

/** `assay grade --prepared DIR --test TEST`. */
export async function gradePreparedFolder(context: CommandContext<typeof GRADE_OPTIONS>): Promise<number> {
  const { options, stdout, stderr, env, redactor } = context;
  const { prepared, test } = options;
  if (prepared === undefined || test === undefined) {
    await printError(
      stderr,
      '--prepared and --test belong together\n  hint: assay grade --prepared DIR --test FILE::ID',
    );
    return EXIT.invalid;
  }
  const findings = new FindingPrinter(stderr, { env, redactor });
  try {
    const record = await gradePrepared({
      prepared,
      test,
      answer: options.answer,
      config: options.config,
      allowScripts: options['allow-scripts'],
      signal: watchSignals(stderr),
      onFinding: (finding) => findings.print(finding),
    });
    for (const finding of record.findings ?? []) findings.print(finding);
    await findings.end();
    const colors = chooseColors({ isTTY: stdout.isTTY, env });
    const claims = [...record.steps.flatMap((step) => step.assertions), ...record.assertions].map(
      ({ passed, name, message }) =>
        `  ${passed === true ? '✓' : passed === false ? '✗' : '!'} ${escapeLine(`${name}: ${message}`)}`,
    );
    const error =
      record.error === undefined || claims.length > 0
        ? []
        : record.error.message.split('\n').map((line) => `  ${escapeLine(line)}`);
    const lines = [
      attemptLine(record, { colors, hasTargets: false }),
      ...claims,
      ...error,
      ...workspaceLines(record, colors),
    ];
    await stdout.write(redactor.text(`${lines.join('\n')}\n`));
    return record.verdict === 'passed'
      ? EXIT.ok
      : record.verdict === 'failed'
        ? EXIT.failed
        : EXIT.unmeasured;
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    await findings.end();
    await printError(stderr, explainStop(error)!);
    return EXIT.invalid;
  }
}
