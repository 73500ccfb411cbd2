import { checkSuites, type CheckSuitesOptions, type SuiteCheck } from '../../api/check-suite/check-suites.ts';
import { TargetError } from '../../suites/config/target-error.ts';
import type { Finding } from '../../base/model/finding.ts';
import { chooseColors } from '../../show/reporters/colors.ts';
import { suiteCheckText } from '../suite-check-text.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { CHECK_OPTIONS } from '../suite-options.ts';
import { printError } from '../print-error.ts';
import { FindingPrinter } from '../finding-printer.ts';
import { watchSignals } from '../signals.ts';

/**
 * Tests suites themselves: which of their tests cannot pass, which cannot fail, and which assertions check nothing.
 */
export async function check(context: CommandContext<typeof CHECK_OPTIONS>): Promise<number> {
  const { positionals, options, stderr } = context;
  const printer = options.json ? createJsonPrinter(context) : createTextPrinter(context);
  try {
    const checked = await checkSuites({
      paths: positionals,
      grep: options.grep,
      grepInvert: options['grep-invert'],
      tags: options.tag?.flatMap((value) => value.split(',')),
      excludedTags: options['exclude-tag']?.flatMap((value) => value.split(',')),
      config: options.config,
      trustConfig: options['trust-config'],
      threshold: options.threshold,
      strict: options.strict || undefined,
      allowUnchecked: options['allow-unchecked'],
      signal: watchSignals(stderr),
      onFinding: printer.finding,
    });
    await printer.end(checked);
    return checked.exit_code;
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    await printError(stderr, error.message);
    return EXIT.invalid;
  }
}

interface Printer {
  readonly finding: CheckSuitesOptions['onFinding'];
  end(checked: SuiteCheck): Promise<void>;
}

function createTextPrinter({ stdout, env, redactor }: CommandContext<typeof CHECK_OPTIONS>): Printer {
  const colors = chooseColors({ isTTY: stdout.isTTY, env });
  const findings = new FindingPrinter(stdout, { env, redactor });
  return {
    finding: (finding) => findings.print(finding),
    async end(checked) {
      await findings.end();
      await stdout.write(redactor.text(suiteCheckText(checked, colors)));
    },
  };
}

/** One JSON document, written piece by piece: the number of findings is unlimited. */
function createJsonPrinter({ stdout, redactor }: CommandContext<typeof CHECK_OPTIONS>): Printer {
  let isFirst = true;
  return {
    finding(finding: Finding) {
      const separator = isFirst ? '{"findings":[\n' : ',\n';
      isFirst = false;
      return stdout.write(separator + JSON.stringify(redactor.value(finding)));
    },
    end: ({ exit_code, not_checked, ...summary }) =>
      stdout.write(
        `${isFirst ? '{"findings":[' : '\n'}],"summary":${JSON.stringify(summary)},` +
          `"not_checked":${JSON.stringify(redactor.value(not_checked))},"exit_code":${exit_code}}\n`,
      ),
  };
}
