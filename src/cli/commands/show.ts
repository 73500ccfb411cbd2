import { plainParameters, plainTest } from '../../api/show/plain-test.ts';
import { showSuites } from '../../api/show/show-suites.ts';
import type { StreamedSuite } from '../../suites/load/stream-suite.ts';
import type { Redactor } from '../../base/match/redact-secrets.ts';
import type { Assertion } from '../../base/model/assertion.ts';
import { messageText } from '../../base/model/content-text.ts';
import { hasErrors } from '../../base/model/finding.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { Step, Test } from '../../base/model/test.ts';
import { chooseColors, type Colors } from '../../show/reporters/colors.ts';
import { escapeLine } from '../../show/reporters/terminal-text.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { SHOW_OPTIONS } from '../suite-options.ts';
import { FindingPrinter } from '../finding-printer.ts';
import { learnSecrets } from '../learn-secrets.ts';

/** Prints the model: the tests as Assay understands them. */
export async function show(context: CommandContext<typeof SHOW_OPTIONS>): Promise<number> {
  const { positionals: paths, options, stdout, stderr, env, redactor } = context;
  const isJson = options.json;
  await learnSecrets(context);
  const colors = chooseColors({ isTTY: stdout.isTTY, env });
  let separator = '';
  const print = async (suite: StreamedSuite): Promise<void> => {
    if (isJson) await stdout.write(separator);
    separator = ',\n';
    const parts = isJson ? suiteJson(suite, redactor) : describeSuite(suite, colors);
    for await (const part of parts) await stdout.write(isJson ? part : redactor.text(part));
  };
  if (isJson) await stdout.write('{"suites":[');
  const findings = await showSuites(
    { paths, passWithNoTests: options['pass-with-no-tests'], trustConfig: options['trust-config'] },
    print,
  );
  if (isJson) await stdout.write(`],"findings":${printJson(redactor.value(findings), '  ')}}\n`);
  else await new FindingPrinter(stderr, context).printAll(findings);
  return hasErrors(findings) ? EXIT.invalid : EXIT.ok;
}

/** One JSON object, written test by test: its tests come last. */
async function* suiteJson({ batches, ...suite }: StreamedSuite, redactor: Redactor): AsyncGenerator<string> {
  const print = (value: unknown): string => printJson(redactor.value(value), '  ');
  yield `${print(suite).slice(0, -'\n}'.length)},\n  "tests": [`;
  let separator = '\n';
  for await (const batch of batches()) {
    for (const test of batch) {
      yield `${separator}    ${print(plainTest(test)).replaceAll('\n', '\n    ')}`;
      separator = ',\n';
    }
  }
  yield `${separator === '\n' ? '' : '\n  '}]\n}`;
}

async function* describeSuite(
  { file, format, written_for, batches }: StreamedSuite,
  colors: Colors,
): AsyncGenerator<string> {
  const meaning = written_for === undefined ? '' : ', with the evaluators of AgentV 4';
  yield `${colors.bold(escapeLine(file))} ${colors.dim(`(${FORMAT_NAMES[format]}${meaning})`)}\n`;
  for await (const batch of batches()) for (const test of batch) yield describeTest(test, colors);
  yield '\n';
}

function describeTest(test: Test, colors: Colors): string {
  const title = test.description === undefined ? '' : ` ${colors.dim(oneLine(test.description))}`;
  const { row } = test;
  const origin = row === undefined ? '' : ` ${colors.dim(`(row ${escapeLine(row.file)}:${row.line})`)}`;
  const targets =
    test.targets === undefined ? '' : ` ${colors.dim(`[${escapeLine(test.targets.join(', '))}]`)}`;
  const rows = [`  ${escapeLine(test.id)}${targets}${title}${origin}`];
  for (const [index, step] of test.steps.entries())
    rows.push(`    ${index + 1}. ${oneLine(inputText(step))}`, ...step.assertions.map(describeAssertion));
  rows.push(...test.assertions.map(describeAssertion));
  return `${rows.join('\n')}\n`;
}

const FORMAT_NAMES = { eval: 'eval file', dataset: 'dataset', steps: 'step test' } as const;

function describeAssertion(assertion: Assertion): string {
  const { form, kind, name, parameters } = assertion;
  const title = form === 'evaluator' && name !== kind ? `${name} (${kind})` : name;
  if (!Object.hasOwn(parameters, 'value'))
    return `       ${escapeLine(title)}: ${oneLine(printJson(plainParameters(assertion)))}`;
  const { value, ...others } = parameters;
  const how = Object.keys(others).length === 0 ? '' : ` ${oneLine(printJson(others))}`;
  return `       ${escapeLine(title)}: ${oneLine(printJson(value))}${how}`;
}

function inputText(step: Step): string {
  return messageText(step.input_messages.at(-1), 'named');
}

function oneLine(text: string): string {
  const line = escapeLine(text.slice(0, 1000).replaceAll(/\s+/g, ' '));
  return line.length <= 90 ? line : `${line.slice(0, 89).replace(/[\ud800-\udbff]$/, '')}…`;
}
