import {
  createDatasetSuite,
  parseSuiteText,
  unsupportedExtension,
  type ParsedSuite,
} from '../formats/parse-suite.ts';
import { extname } from '../formats/path-names.ts';
import { parseSidecar } from '../formats/sidecar.ts';
import { hashHex } from '../match/hash-text.ts';
import type { Finding } from '../model/finding.ts';
import type { Suite } from '../model/suite.ts';
import type { Test } from '../model/test.ts';
import { discover, SUITE_EXTENSIONS } from './discover.ts';
import { attachFiles } from './file-parts.ts';
import { knownFormats } from './known-formats.ts';
import { createRootFinder } from './project-root.ts';
import { streamDataset } from './read-dataset.ts';
import { fileFinding, readSuiteFile } from './read-suite-file.ts';
import { isSidecar, readSidecar } from './sidecars.ts';

export interface LoadedSuites {
  readonly suites: readonly Suite[];
  readonly findings: readonly Finding[];
}

/** Loads the suites that paths, globs or folders stand for. Whatever is wrong with one of them, the others are loaded. */
export async function loadSuites(paths: readonly string[]): Promise<LoadedSuites> {
  const { files, unmatched } = await discover(paths);
  const suites: Suite[] = [];
  const findings = unmatched.map(({ argument, message, hint }) =>
    fileFinding(argument, 'no_such_file', message, hint),
  );
  const rootOf = createRootFinder(process.cwd());
  for (const file of files) {
    const loaded = await loadSuite(file, rootOf(file));
    if (loaded.suite !== undefined) suites.push(loaded.suite);
    // Not push(...): a file may have more findings than a call may have arguments.
    for (const finding of loaded.findings) findings.push(finding);
  }
  return { suites, findings };
}

/** Loads one file. `root` is the folder outside of which no referenced file is read. */
export async function loadSuite(file: string, root: string): Promise<ParsedSuite> {
  return extname(file).toLowerCase() === '.jsonl' ? loadDataset(file, root) : loadDocument(file, root);
}

async function loadDataset(file: string, root: string): Promise<ParsedSuite> {
  const formats = knownFormats();
  const sidecar = readSidecar(file, formats);
  const tests: Test[] = [];
  const findings: Finding[] = [];
  for await (const item of streamDataset(file, { formats, root, sidecar })) {
    if (item.test !== undefined) tests.push(item.test);
    for (const finding of item.findings) findings.push(finding);
  }
  return { suite: createDatasetSuite(file, sidecar, tests), findings };
}

function loadDocument(file: string, root: string): ParsedSuite {
  if (!SUITE_EXTENSIONS.test(file)) return { suite: undefined, findings: [unsupportedExtension(file)] };
  const read = readSuiteFile(file);
  if ('finding' in read) return { suite: undefined, findings: [read.finding] };
  if (isSidecar(file, read.text)) {
    const { findings } = parseSidecar(file, read.text, knownFormats().sidecar);
    return { suite: undefined, findings };
  }
  const { suite, findings } = parseSuiteText({ path: file, text: read.text }, knownFormats());
  if (suite === undefined) return { suite, findings };
  return { ...attachAllFiles(suite, findings, root), hash: hashHex(read.text) };
}

function attachAllFiles(suite: Suite, findings: readonly Finding[], root: string): ParsedSuite {
  const allFindings = [...findings];
  const tests = suite.tests.flatMap((test) => {
    const attached = attachFiles(test, { file: suite.file, root });
    allFindings.push(...attached.findings);
    return attached.findings.length === 0 ? [attached.test] : [];
  });
  return { suite: { ...suite, tests }, findings: allFindings };
}
