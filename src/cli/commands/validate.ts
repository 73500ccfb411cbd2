import { ValidationPreflight } from '../../api/validation-preflight.ts';
import { readDotEnv } from '../../config/dot-env.ts';
import { ConfigFiles } from '../../config/config-files.ts';
import { discover, discoveryFindings } from '../../load/discover.ts';
import { loadSuite } from '../../load/load-suites.ts';
import { openStepTestListFile } from '../../load/open-step-test-list.ts';
import { knownFormats } from '../../load/known-formats.ts';
import { createRootFinder, findProjectRoot } from '../../load/project-root.ts';
import { streamBatches } from '../../load/read-dataset.ts';
import { fileFinding } from '../../load/read-suite-file.ts';
import type { Finding } from '../../model/finding.ts';
import type { Excerpt } from '../../reporters/code-frame.ts';
import { chooseColors } from '../../reporters/colors.ts';
import { findingText } from '../../reporters/finding-text.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { VALIDATE_OPTIONS } from '../options.ts';
import { readExcerpt } from '../excerpt.ts';
import { isDataset } from '../../model/suite-lines.ts';

/** Checks every file and reports everything that is wrong. A dataset is streamed, and so are its findings. */
export async function validate(context: CommandContext<typeof VALIDATE_OPTIONS>): Promise<number> {
  const { positionals, options } = context;
  const printer = options.json ? createJsonPrinter(context) : createTextPrinter(context);
  const counts = { files: 0, tests: 0, errors: 0, warnings: 0 };
  for await (const item of findings(context, counts)) {
    const severity = options.strict ? 'error' : item.finding.severity;
    counts[severity === 'error' ? 'errors' : 'warnings']++;
    await printer.finding({ ...item, finding: { ...item.finding, severity } });
  }
  if (counts.files === 0 && counts.errors === 0 && !options['pass-with-no-tests']) {
    counts.errors++;
    await printer.finding({ finding: nothingFound(positionals) });
  }
  await printer.end(counts);
  return counts.errors > 0 ? EXIT.invalid : EXIT.ok;
}

export function nothingFound(paths: readonly string[]): Finding {
  const where = paths.length === 0 ? '.' : paths.join(' ');
  return fileFinding(
    where,
    'no_suites',
    'no suite is found here',
    'suites are found by name: *.test.yaml, *.eval.yaml, EVAL.yaml, dataset*.jsonl, ...',
  );
}

interface Counts {
  files: number;
  tests: number;
  errors: number;
  warnings: number;
}

interface FoundFinding {
  readonly finding: Finding;
  readonly excerpt?: Excerpt;
}

async function* findings(
  { positionals: paths, options, redactor, env }: CommandContext<typeof VALIDATE_OPTIONS>,
  counts: Counts,
): AsyncGenerator<FoundFinding> {
  const discovery = await discover(paths);
  const { files } = discovery;
  for (const finding of discoveryFindings(discovery)) yield { finding };
  const rootOf = createRootFinder(process.cwd());
  const configs = new ConfigFiles({
    rootOf,
    mayExecute: options['trust-config'],
    onSecrets: (names) => redactor.learn(names),
  });
  for (const finding of await configs.findings(files)) yield { finding };
  const projectRoot = findProjectRoot(process.cwd());
  const environment = readDotEnv(projectRoot, env);
  for (const finding of environment.findings) yield { finding };
  const preflight = new ValidationPreflight({
    projectRoot,
    env: environment.env,
    configOf: (file) => configs.of(file),
  });
  for (const file of files) {
    counts.files++;
    const read = { file, root: rootOf(file), preflight, counts };
    yield* isDataset(file) ? datasetFindings(read) : documentFindings(read);
  }
}

interface ReadFile {
  readonly file: string;
  readonly root: string;
  readonly preflight: ValidationPreflight;
  readonly counts: Counts;
}

async function* documentFindings({ file, root, preflight, counts }: ReadFile): AsyncGenerator<FoundFinding> {
  const list = openStepTestListFile(file, root);
  const loaded = list === undefined ? await loadSuite(file, root) : undefined;
  for (const finding of list?.findings ?? loaded!.findings) yield { finding };
  for (const batch of list?.batches() ?? [loaded?.suite?.tests ?? []]) {
    for (const test of batch) {
      counts.tests++;
      for (const finding of await preflight.check(file, test)) yield { finding };
    }
  }
}

async function* datasetFindings({ file, root, preflight, counts }: ReadFile): AsyncGenerator<FoundFinding> {
  for await (const batch of streamBatches(file, { formats: knownFormats(), root })) {
    for (const { test, line, text, findings: found } of batch) {
      if (test !== undefined) counts.tests++;
      const lacking = test === undefined ? [] : await preflight.check(file, test);
      for (const finding of [...found, ...lacking]) {
        const isOfLine = line !== 0 && finding.file === file && finding.line === line;
        yield isOfLine ? { finding, excerpt: { firstLine: line, lines: [asShown(text)] } } : { finding };
      }
    }
  }
}

/** Places in a line do not count the file's byte order mark, and its CR ends it. */
function asShown(line: string): string {
  return line.replace(/^\uFEFF/, '').replace(/\r$/, '');
}

interface Printer {
  finding(item: FoundFinding): Promise<void>;
  end(counts: Counts): Promise<void>;
}

function createTextPrinter({ stdout, env, redactor }: CommandContext<typeof VALIDATE_OPTIONS>): Printer {
  const colors = chooseColors({ isTTY: stdout.isTTY, env });
  return {
    finding: ({ finding, excerpt = readExcerpt(finding) }) =>
      stdout.write(redactor.text(`${findingText(finding, excerpt, colors)}\n\n`)),
    end({ files, tests, errors, warnings }) {
      const checked = `${count(files, 'file')}, ${count(tests, 'test')}`;
      if (errors + warnings === 0) return stdout.write(`${colors.green('✓')} ${checked}: no problems\n`);
      const problems = [
        errors > 0 ? colors.red(count(errors, 'error')) : '',
        warnings > 0 ? colors.yellow(count(warnings, 'warning')) : '',
      ];
      return stdout.write(
        `${errors > 0 ? colors.red('✗') : colors.green('✓')} ${checked}: ${problems.filter((part) => part !== '').join(', ')}\n`,
      );
    },
  };
}

/** One JSON document, written piece by piece: the number of findings is not bounded. */
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

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
