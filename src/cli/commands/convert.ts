import { convertFile } from '../../api/convert/convert-file.ts';
import type { ConvertResult } from '../../api/convert/conversion.ts';
import { writeOutputs } from '../../api/convert/write-outputs.ts';
import { hasErrors, type Finding } from '../../base/model/finding.ts';
import { escapeLine } from '../../show/reporters/terminal-text.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { FindingPrinter } from '../finding-printer.ts';
import type { CONVERT_OPTIONS } from '../suite-options.ts';
import { printError } from '../print-error.ts';

/** `assay convert FILE --to eval`: the result is written or printed, and what is lost is reported. */
export async function convert(context: CommandContext<typeof CONVERT_OPTIONS>): Promise<number> {
  const { positionals, options, stdout, stderr } = context;
  const [file, ...more] = positionals;
  const { to = 'eval' } = options;
  if (file === undefined || more.length > 0) {
    await printError(stderr, 'convert takes one file\n  hint: assay convert FILE --to eval|dataset|steps');
    return EXIT.invalid;
  }
  const out = options.output === '-' ? undefined : options.output;
  const result = await convertFile({
    file,
    to,
    out,
    from: options.from,
    options: {
      input: options.input,
      expected: options.expected,
      id: options.id,
      class: options.class,
      ignoreCase: options['ignore-case'],
      evaluator: options.evaluator,
    },
    registry: options.registry,
    allowLoss: options['allow-loss'],
    trustConfig: options['trust-config'],
  });
  const problems = out === undefined ? [] : writeOutputs(result.outputs, { isForced: options.force });
  const findings = [...result.findings, ...problems];
  if (out === undefined) for (const { text } of result.outputs.slice(0, 1)) await stdout.write(text);
  await new FindingPrinter(stderr, context).printAll(findings);
  await stderr.write(summary({ ...result, findings }, { file, out }));
  return hasErrors(findings) ? EXIT.invalid : EXIT.ok;
}

interface Names {
  readonly file: string;
  readonly out: string | undefined;
}

function summary({ title, tests, outputs, findings }: ConvertResult, { file, out }: Names): string {
  const what = `${escapeLine(file)}${title === '' ? '' : ` (${title})`}`;
  const isRefused =
    outputs.length === 0 ||
    findings.some(({ code }) => code === 'output_exists' || code === 'output_unwritable');
  if (isRefused) return `✗ ${what}: nothing is written\n`;
  const where = outputs.map(({ path }) => escapeLine(path)).join(', ');
  const lost = findings.filter(({ code }) => code === 'not_converted');
  const head = `${hasErrors(findings) ? '✗' : '✓'} ${what}: ${count(tests, 'test')}${out === undefined ? '' : ` in ${where}`}`;
  if (lost.length === 0) return `${head}\n`;
  return `${[`${head}; ${count(lost.length, 'thing')} not converted:`, ...lossLines(lost)].join('\n')}\n`;
}

/** One line for each kind of loss, with the lines it happens on. */
function lossLines(lost: readonly Finding[]): readonly string[] {
  const groups = new Map<string, number[]>();
  for (const { message, line } of lost) {
    const lines = groups.get(message);
    if (lines === undefined) groups.set(message, [line]);
    else lines.push(line);
  }
  return [...groups].map(([message, lines]) => {
    const shown = lines.slice(0, SHOWN_LINES).join(', ');
    const more = lines.length > SHOWN_LINES ? ' and more' : '';
    return `  ${escapeLine(message)} (${lines.length === 1 ? 'line' : 'lines'} ${shown}${more})`;
  });
}

const SHOWN_LINES = 10;

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
