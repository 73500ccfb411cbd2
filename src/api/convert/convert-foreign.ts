import { dirname, join, relative, resolve, sep } from 'node:path';
import type {
  Conversion,
  ConvertedSuite,
  ForeignFile,
  ForeignFormat,
} from '../../suites/convert/contract.ts';
import { withForeignData } from '../../suites/convert/foreign-data.ts';
import { writeConverted } from '../../suites/convert/own/convert-own.ts';
import { withoutBrokenCases } from '../../suites/convert/without-broken-cases.ts';
import { writeYaml } from '../../suites/convert/write-yaml.ts';
import { readReferencedFile } from '../../suites/load/file-parts.ts';
import { createRootFinder } from '../../suites/load/project-root.ts';
import { fileFinding, readSuiteFile } from '../../suites/load/read-suite-file.ts';
import { byCodePoint } from '../../base/model/by-code-point.ts';
import { hasErrors, type Finding } from '../../base/model/finding.ts';
import {
  invalidResult,
  outputsOf,
  readSuite,
  refuse,
  strayFiles,
  targetOf,
  weighLosses,
  type ConvertTask,
  type ConvertResult,
} from './conversion.ts';

/** From another tool: the result is written, what is lost is in its comments, and the exit code is 2. */
export async function convertForeign(
  foreign: ForeignFormat,
  source: ForeignFile,
  request: ConvertTask,
): Promise<ConvertResult> {
  const { title } = foreign;
  const registry = request.registry === undefined ? undefined : readSuiteFile(request.registry);
  if (registry !== undefined && 'finding' in registry) return refuse(title, [registry.finding]);
  const options = {
    ...request.options,
    registry: registry && { path: request.registry!, text: registry.text },
  };
  const converted = (await foreign.load())(source, { options, ...(await filesAround(source, request)) });
  if (converted.suite === undefined) return refuse(title, weighLosses(converted.findings, request));
  const document = withForeignData(converted.suite.document);
  const { suite, findings } = onlyWhatLoads({ ...converted.suite, document }, request);
  return writeSuite({ ...converted, suite, findings: [...converted.findings, ...findings] }, title, request);
}

/** The files that the converted one names. None outside of the project is read. */
async function filesAround(source: ForeignFile, request: ConvertTask) {
  const { globSync } = await import('tinyglobby');
  const root = createRootFinder(process.cwd())(request.file);
  const target = targetOf(request);
  return {
    readText(path: string): string | undefined {
      // Exactly there: a file of this name further up may belong to other tests.
      const read = readReferencedFile(resolve(dirname(source.path), path), { file: source.path, root });
      return 'text' in read ? read.text : undefined;
    },
    findFiles: (pattern: string): readonly string[] =>
      globSync(pattern, {
        cwd: dirname(source.path),
        ignore: ['**/node_modules/**'],
        expandDirectories: false,
      }).sort(byCodePoint),
    /** With slashes on every machine. */
    pathFromResult: (path: string): string =>
      relative(dirname(target.path), join(dirname(source.path), path))
        .split(sep)
        .join('/'),
  };
}

interface Converted extends Conversion {
  readonly suite: ConvertedSuite;
}

function writeSuite(
  { suite, findings, files = [] }: Converted,
  title: string,
  request: ConvertTask,
): ConvertResult {
  const target = targetOf(request);
  const locate = () => ({ file: request.file, line: 1, column: 1, path: '' });
  const written = writeConverted(suite, target, { formats: request.formats, locate });
  // A limit of the chosen format, not of the foreign file: another of our formats can express it.
  const refused = weighLosses([...written.findings, ...strayFiles(written.files, request)], request);
  const all = [...weighLosses(findings, request), ...refused];
  if (hasErrors(refused)) return refuse(title, all);
  const result = readSuite(written.files, request.formats);
  if (!('tests' in result)) return refuse(title, [...all, invalidResult(request, result.findings)]);
  const more = files.map((file) => ({ ...file, path: join(dirname(target.path), file.path) }));
  return {
    title,
    outputs: [...outputsOf(written.files), ...more],
    tests: result.tests.length,
    findings: all,
  };
}

/** A case that our own loader refuses is left out, with the reason: the others are still converted. */
function onlyWhatLoads(
  suite: ConvertedSuite,
  request: ConvertTask,
): { readonly suite: ConvertedSuite; readonly findings: readonly Finding[] } {
  const path = targetOf({ ...request, to: 'eval', out: undefined }).path;
  const read = readSuite({ path, text: writeYaml(suite.document) }, request.formats);
  if ('tests' in read) return { suite, findings: [] };
  const errors = read.findings.filter(({ severity }) => severity === 'error');
  const { suite: rest, left } = withoutBrokenCases(suite, errors);
  const findings = left.map(({ id, why }) =>
    fileFinding(request.file, 'conversion_invalid', `${JSON.stringify(id)} is not converted: ${why}`),
  );
  return { suite: rest, findings };
}
