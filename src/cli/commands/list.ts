import { listTests } from '../../api/list/list-tests.ts';
import type { RunOptions } from '../../api/basics/run-options.ts';
import { plainRow } from '../../api/show/plain-test.ts';
import { chooseColors, type Colors } from '../../show/reporters/colors.ts';
import { selectionLines } from '../../show/reporters/selection-lines.ts';
import { escapeLine, escapeShortLine } from '../../show/reporters/terminal-text.ts';
import { hasErrors, type Finding } from '../../base/model/finding.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { RunSelection } from '../../base/model/selection.ts';
import type { Test } from '../../base/model/test.ts';
import { targetNames } from '../target-names.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { RUN_OPTIONS } from '../run-options.ts';
import { printError } from '../print-error.ts';
import { FindingPrinter } from '../finding-printer.ts';
import { learnSecrets } from '../learn-secrets.ts';

/** `assay run --list`: the tests of a run, one line each; with `--reporter json` one object. */
export async function list(
  options: RunOptions,
  context: CommandContext<typeof RUN_OPTIONS>,
): Promise<number> {
  const { stderr } = context;
  await learnSecrets(context);
  const [reporter = 'terminal', ...others] = context.options.reporter ?? [];
  const isElsewhere = others.length > 0 || context.options['output-file'] !== undefined;
  if (isElsewhere || (reporter !== 'terminal' && reporter !== 'json')) {
    await printError(
      stderr,
      '--list prints to stdout, as text or with --reporter json\n  hint: remove other reporters and files',
    );
    return EXIT.invalid;
  }
  const printer = reporter === 'json' ? jsonPrinter(context) : textPrinter(context);
  const listed = await listTests({ ...options, trustConfig: context.options['trust-config'] }, (file, test) =>
    printer.test(file, test),
  );
  const { count, findings, selection, isAllPassed, empty } = listed;
  await printer.end(findings, selection);
  if (hasErrors(findings)) return EXIT.invalid;
  if (count > 0 || options.passWithNoTests === true || isAllPassed) return EXIT.ok;
  await printError(
    stderr,
    empty === undefined
      ? 'no test is selected\n  hint: check the paths and filters, or add --pass-with-no-tests'
      : `no test is selected: ${empty.message}\n  hint: ${empty.hint}`,
  );
  return EXIT.invalid;
}

interface ListPrinter {
  test(file: string, test: Test): Promise<void>;
  end(findings: readonly Finding[], selection: RunSelection | undefined): Promise<void>;
}

function textPrinter({
  stdout,
  stderr,
  env,
  redactor,
  options,
}: CommandContext<typeof RUN_OPTIONS>): ListPrinter {
  const colors = chooseColors({ isTTY: stdout.isTTY, env });
  return {
    test(file, test) {
      const { id, description, place, row } = test;
      const title =
        description === undefined
          ? ''
          : ` ${colors.dim(escapeShortLine(description.replaceAll(/\s+/g, ' ')))}`;
      return stdout.write(
        redactor.text(
          `${escapeLine(`${file}:${place.line}`)} ${escapeLine(id)}${targetsText(test, options.target, colors)}${title}${rowText(row, colors)}\n`,
        ),
      );
    },
    async end(findings, selection) {
      for (const line of selectionLines(selection)) await stderr.write(redactor.text(`${line}\n`));
      await new FindingPrinter(stderr, { env, redactor }).printAll(findings);
    },
  };
}

function rowText(row: Test['row'], colors: Colors): string {
  return row === undefined ? '' : ` ${colors.dim(`(row ${escapeLine(row.file)}:${row.line})`)}`;
}

/** The targets on the command line are used for every test. */
function chosenTargets(test: Pick<Test, 'target' | 'targets'>, given: readonly string[] | undefined) {
  const chosen = targetNames(given) ?? test.targets ?? test.target;
  return typeof chosen === 'string' ? { target: chosen } : { targets: chosen };
}

function targetsText(test: Test, given: readonly string[] | undefined, colors: Colors): string {
  const { targets } = chosenTargets(test, given);
  return targets === undefined ? '' : ` ${colors.dim(`[${escapeLine(targets.join(', '))}]`)}`;
}

/** Written test by test: a dataset may have any number of them. */
function jsonPrinter({ stdout, redactor, options }: CommandContext<typeof RUN_OPTIONS>): ListPrinter {
  let separator = '{"tests":[\n';
  return {
    test(file, { id, description, tags, place, row: origin, ...test }) {
      const { line, column } = place;
      const { target, targets } = chosenTargets(test, options.target);
      const row = origin && plainRow(origin);
      const text =
        separator +
        printJson(redactor.value({ file, line, column, test: id, row, description, tags, target, targets }));
      separator = ',\n';
      return stdout.write(text);
    },
    end(findings, selection) {
      const end = printJson(redactor.value({ findings, selection })).slice('{'.length);
      return stdout.write(`${separator === ',\n' ? '\n' : '{"tests":['}],${end}\n`);
    },
  };
}
