import {
  createDatasetSuite,
  parseSuiteText,
  unsupportedExtension,
  type Formats,
  type ParsedSuite,
  type SuiteText,
} from '../formats/parse-suite.ts';
import { parseSidecar } from '../formats/sidecar.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Suite } from '../../base/model/suite.ts';
import type { Place } from '../../base/model/place.ts';
import type { MessageList, MessagePlaces, Test } from '../../base/model/test.ts';
import { discover, SUITE_EXTENSIONS, discoveryFindings } from './discover.ts';
import { attachFiles } from './file-parts.ts';
import { explainForeign } from './foreign-files.ts';
import { harborFinding, harborTaskOf } from './harbor-tasks.ts';
import { hashSuite } from './hash-suite.ts';
import { knownFormats } from './known-formats.ts';
import { createRootFinder } from './project-root.ts';
import { streamDataset } from './read-dataset.ts';
import { readSuiteFile, type SuiteFileText } from './read-suite-file.ts';
import { createRowFiles } from './row-files.ts';
import { isSidecar, readSidecar } from './sidecars.ts';
import { isDataset } from '../../base/model/suite-lines.ts';

export interface LoadedSuites {
  readonly suites: readonly Suite[];
  readonly findings: readonly Finding[];
}

/** Loads the suites that paths, globs or folders match. If one of them is wrong, the others are still loaded. */
export async function loadSuites(paths: readonly string[]): Promise<LoadedSuites> {
  const discovery = await discover(paths);
  const suites: Suite[] = [];
  const { files } = discovery;
  const findings = discoveryFindings(discovery);
  const rootOf = createRootFinder(process.cwd());
  for (const file of files) {
    const loaded = await loadSuite(file, rootOf(file));
    if (loaded.suite !== undefined) suites.push(loaded.suite);
    // Not push(...): a file may have more findings than a call may have arguments.
    for (const finding of loaded.findings) findings.push(finding);
  }
  return { suites, findings };
}

/** Loads one file. No referenced file outside of the folder `root` is read. */
export async function loadSuite(
  file: string,
  root: string,
  formats: Formats = knownFormats(),
): Promise<ParsedSuite> {
  return isDataset(file) ? loadDataset(file, root, formats) : loadDocument(file, { root, formats });
}

async function loadDataset(file: string, root: string, formats: Formats): Promise<ParsedSuite> {
  const sidecar = readSidecar(file, formats);
  const tests: Test[] = [];
  const findings: Finding[] = [];
  for await (const item of streamDataset(file, { formats, root, sidecar })) {
    if (item.test !== undefined) tests.push(item.test);
    for (const finding of item.findings) findings.push(finding);
  }
  return { suite: createDatasetSuite(file, sidecar, tests), findings };
}

interface DocumentOptions {
  readonly root: string;
  readonly formats: Formats;
  /** What is in the file, if it was read before. */
  readonly read?: SuiteFileText | undefined;
}

/** The same for a file that is not a dataset. */
export async function loadDocument(
  file: string,
  { root, formats, ...known }: DocumentOptions,
): Promise<ParsedSuite> {
  const isReadable = SUITE_EXTENSIONS.test(file) || FOREIGN_EXTENSIONS.test(file);
  const read = known.read ?? (isReadable ? readSuiteFile(file) : undefined);
  if (read === undefined) {
    const task = harborTaskOf(file);
    const finding = task === undefined ? unsupportedExtension(file) : { ...harborFinding(task), file };
    return { suite: undefined, findings: [finding] };
  }
  if ('finding' in read) return { suite: undefined, findings: [read.finding] };
  const loaded = parseDocument({ path: file, text: read.text }, root, formats);
  const findings = await explainForeign({ path: file, text: read.text }, loaded.findings);
  return findings === loaded.findings ? loaded : { suite: undefined, findings };
}

/** Read only to say whose they are. */
const FOREIGN_EXTENSIONS = /\.csv$/i;

function parseDocument({ path: file, text }: SuiteText, root: string, formats: Formats): ParsedSuite {
  const rowPaths = new Set<string>();
  const rowFiles = createRowFiles({ file, root }, rowPaths);
  const { suite, findings } = parseSuiteText({ path: file, text, rowFiles }, formats);
  if (suite === undefined && isSidecar(file, text)) {
    return { suite, findings: parseSidecar(file, text, formats.sidecar).findings };
  }
  if (suite === undefined) return { suite, findings };
  return { ...attachAllFiles(suite, findings, root), hash: hashSuite(text, rowPaths) };
}

function attachAllFiles(suite: Suite, findings: readonly Finding[], root: string): ParsedSuite {
  const allFindings = [...findings];
  const tests = suite.tests.flatMap((test) => {
    const attached = settleTest(test, suite.file, root);
    allFindings.push(...attached.findings);
    return attached.test === undefined ? [] : [attached.test];
  });
  return { suite: { ...suite, tests }, findings: allFindings };
}

/** A test with the files it names and without its source, or what is wrong with those files. */
export function settleTest(
  test: Test,
  file: string,
  root: string,
): { readonly test?: Test; readonly findings: readonly Finding[] } {
  const { test: attached, findings } = attachFiles(test, { file, root });
  return findings.length === 0 ? { test: settlePlaces(attached), findings } : { findings };
}

/** The places as plain data, so that the file's syntax tree can be freed. */
function settlePlaces(test: Test): Test {
  // Every field by name: a copy by spreading is several times as slow.
  const steps = test.steps.map(
    ({ input_messages, expected_messages, assertions, approval, place, places }) => ({
      input_messages,
      expected_messages,
      assertions,
      approval,
      place,
      places: new SettledPlaces(place, places),
    }),
  );
  return { ...test, steps };
}

class SettledPlaces implements MessagePlaces {
  readonly input_messages: readonly Place[];
  readonly expected_messages: readonly Place[];
  private readonly step: Place;

  constructor(step: Place, lists: Readonly<Record<MessageList, readonly Place[]>>) {
    this.step = step;
    this.input_messages = lists.input_messages;
    this.expected_messages = lists.expected_messages;
  }

  inside(list: MessageList, index: number): Place & { readonly path: string } {
    return { ...(this[list][index] ?? this.step), path: list };
  }
}
