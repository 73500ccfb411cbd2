import { discover, discoveryFindings } from '../../load/discover.ts';
import { loadSuite } from '../../load/load-suites.ts';
import { createRootFinder } from '../../load/project-root.ts';
import { membersOf, type Assertion } from '../../model/assertion.ts';
import { messageText } from '../../model/content-text.ts';
import type { Finding } from '../../model/finding.ts';
import { hasErrors } from '../../model/finding.ts';
import { printJson } from '../../model/print-json.ts';
import type { Suite } from '../../model/suite.ts';
import type { Step, Test } from '../../model/test.ts';
import { chooseColors, type Colors } from '../../reporters/colors.ts';
import { findingText } from '../../reporters/finding-text.ts';
import { escapeLine } from '../../reporters/terminal-text.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { SHOW_OPTIONS } from '../options.ts';
import { readExcerpt } from '../excerpt.ts';
import { nothingFound } from './validate.ts';
import { learnSecrets } from '../learn-secrets.ts';

/** Prints the model: what Assay made of the files. */
export async function show(context: CommandContext<typeof SHOW_OPTIONS>): Promise<number> {
  const { positionals, options, stdout, stderr, env, redactor } = context;
  const isJson = options.json;
  await learnSecrets(context);
  const discovery = await discover(positionals);
  const { files } = discovery;
  const findings: Finding[] = discoveryFindings(discovery);
  if (files.length === 0 && !hasErrors(findings) && !options['pass-with-no-tests'])
    findings.push(nothingFound(positionals));
  const colors = chooseColors({ isTTY: stdout.isTTY, env });
  const rootOf = createRootFinder(process.cwd());
  let separator = '';
  if (isJson) await stdout.write('{"suites":[');
  for (const file of files) {
    const loaded = await loadSuite(file, rootOf(file));
    for (const finding of loaded.findings) findings.push(finding);
    if (loaded.suite === undefined) continue;
    await (isJson
      ? stdout.write(`${separator}${printJson(redactor.value(toPlain(loaded.suite)), '  ')}`)
      : stdout.write(redactor.text(`${describeSuite(loaded.suite, colors)}\n`)));
    separator = ',\n';
  }
  if (isJson) await stdout.write(`],"findings":${printJson(redactor.value(findings), '  ')}}\n`);
  else {
    const errorColors = chooseColors({ isTTY: stderr.isTTY, env });
    for (const finding of findings)
      await stderr.write(`${findingText(finding, readExcerpt(finding), errorColors)}\n\n`);
  }
  return hasErrors(findings) ? EXIT.invalid : EXIT.ok;
}

/** The model as it is printed: each test, step and assertion with its line and column. */
function toPlain(suite: Suite): unknown {
  return { ...suite, tests: suite.tests.map(plainTest) };
}

function plainTest({ place, steps, assertions, ...test }: Test): unknown {
  return {
    ...test,
    steps: steps.map(plainStep),
    assertions: assertions.map(plainAssertion),
    line: place.line,
    column: place.column,
  };
}

function plainStep({ place, places, assertions, ...step }: Step): unknown {
  const lines = {
    input_messages: places.input_messages.map(plainPlace),
    expected_messages: places.expected_messages.map(plainPlace),
  };
  return {
    ...step,
    assertions: assertions.map(plainAssertion),
    line: place.line,
    column: place.column,
    places: lines,
  };
}

function plainAssertion(assertion: Assertion): unknown {
  const { place, parameters: _parameters, nests: _nests, ...rest } = assertion;
  return { ...rest, parameters: plainParameters(assertion), line: place.line, column: place.column };
}

/** An evaluator may hold evaluators itself. */
function plainParameters(assertion: Assertion): unknown {
  const { nests, parameters } = assertion;
  if (nests === undefined) return parameters;
  return { ...parameters, [nests]: membersOf(assertion).map(plainAssertion) };
}

function plainPlace({ line, column }: { readonly line: number; readonly column: number }): unknown {
  return { line, column };
}

function describeSuite({ file, format, tests }: Suite, colors: Colors): string {
  const rows = [`${colors.bold(escapeLine(file))} ${colors.dim(`(${FORMAT_NAMES[format]})`)}`];
  for (const test of tests) {
    const title = test.description === undefined ? '' : ` ${colors.dim(oneLine(test.description))}`;
    rows.push(`  ${escapeLine(test.id)}${title}`);
    for (const [index, step] of test.steps.entries())
      rows.push(`    ${index + 1}. ${oneLine(inputText(step))}`, ...step.assertions.map(describeAssertion));
    rows.push(...test.assertions.map(describeAssertion));
  }
  return `${rows.join('\n')}\n`;
}

const FORMAT_NAMES = { eval: 'eval file', dataset: 'dataset', steps: 'step test' } as const;

function describeAssertion(assertion: Assertion): string {
  const { form, kind, name, parameters } = assertion;
  const title = form === 'evaluator' && name !== kind ? `${name} (${kind})` : name;
  const value = Object.hasOwn(parameters, 'value') ? parameters['value'] : plainParameters(assertion);
  return `       ${escapeLine(title)}: ${oneLine(printJson(value))}`;
}

function inputText(step: Step): string {
  return messageText(step.input_messages.at(-1), 'named');
}

function oneLine(text: string): string {
  const line = escapeLine(text.slice(0, 1000).replaceAll(/\s+/g, ' '));
  return line.length <= 90 ? line : `${line.slice(0, 89).replace(/[\ud800-\udbff]$/, '')}…`;
}
