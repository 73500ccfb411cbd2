import {
  validateSuites,
  type FoundFinding,
  type ValidationCounts,
} from '../../api/validate/validate-suites.ts';
import { chooseColors } from '../../show/reporters/colors.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { VALIDATE_OPTIONS } from '../suite-options.ts';
import { FindingPrinter } from '../finding-printer.ts';
import { numbered } from '../../base/model/grouped.ts';

/** Prints everything that is wrong with the files, as it is found. */
export async function validate(context: CommandContext<typeof VALIDATE_OPTIONS>): Promise<number> {
  const { positionals: paths, options, env, redactor } = context;
  const printer = options.json ? createJsonPrinter(context) : createTextPrinter(context);
  const counts = await validateSuites(
    {
      paths,
      env,
      trustConfig: options['trust-config'],
      strict: options.strict || undefined,
      passWithNoTests: options['pass-with-no-tests'],
      onSecrets: redactor.learn,
    },
    (found) => printer.finding(found),
  );
  await printer.end(counts);
  return counts.errors > 0 ? EXIT.invalid : EXIT.ok;
}

interface Printer {
  finding(item: FoundFinding): Promise<void>;
  end(counts: ValidationCounts): Promise<void>;
}

function createTextPrinter({ stdout, env, redactor }: CommandContext<typeof VALIDATE_OPTIONS>): Printer {
  const colors = chooseColors({ isTTY: stdout.isTTY, env });
  const findings = new FindingPrinter(stdout, { env, redactor });
  return {
    finding: ({ finding, excerpt }) => findings.print(finding, excerpt),
    async end({ files, tests, errors, warnings }) {
      await findings.end();
      const checked = `${numbered(files, 'file')}, ${numbered(tests, 'test')}`;
      if (errors + warnings === 0) return stdout.write(`${colors.green('✓')} ${checked}: no problems\n`);
      const problems = [
        errors > 0 ? colors.red(numbered(errors, 'error')) : '',
        warnings > 0 ? colors.yellow(numbered(warnings, 'warning')) : '',
      ];
      return stdout.write(
        `${errors > 0 ? colors.red('✗') : colors.green('✓')} ${checked}: ${problems.filter((part) => part !== '').join(', ')}\n`,
      );
    },
  };
}

/** One JSON document, written piece by piece: the number of findings is unlimited. */
function createJsonPrinter({ stdout, redactor }: CommandContext<typeof VALIDATE_OPTIONS>): Printer {
  let isFirst = true;
  return {
    finding({ finding }) {
      const separator = isFirst ? '{"findings":[\n' : ',\n';
      isFirst = false;
      return stdout.write(separator + JSON.stringify(redactor.value(finding)));
    },
    end: (counts) =>
      stdout.write(`${isFirst ? '{"findings":[' : '\n'}],"summary":${JSON.stringify(counts)}}\n`),
  };
}
