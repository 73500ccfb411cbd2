import { existsSync } from 'node:fs';
import { detectFormat } from '../formats/detect-format.ts';
import { parseDocument } from '../formats/document.ts';
import { createDatasetSuite, parseSuiteText, type ParsedSuite } from '../formats/parse-suite.ts';
import { extname } from '../formats/path-names.ts';
import { parseSidecar } from '../formats/sidecar.ts';
import type { Finding } from '../model/finding.ts';
import type { Suite } from '../model/suite.ts';
import type { Test } from '../model/test.ts';
import { discover } from './discover.ts';
import { attachFiles } from './file-parts.ts';
import { knownFormats } from './known-formats.ts';
import { findProjectRoot, rootForSuite } from './project-root.ts';
import { readSidecar, streamDataset } from './read-dataset.ts';
import { fileFinding, readSuiteFile } from './read-suite-file.ts';

export interface LoadedSuites {
  readonly suites: readonly Suite[];
  readonly findings: readonly Finding[];
}

/** Loads the suites that paths, globs or folders stand for. Whatever is wrong with one of them, the others are loaded. */
export async function loadSuites(paths: readonly string[]): Promise<LoadedSuites> {
  const { files, unmatched } = await discover(paths);
  const suites: Suite[] = [];
  const findings = unmatched.map(({ argument, message, hint }) => fileFinding(argument, 'no_such_file', message, hint));
  const projectRoot = findProjectRoot(process.cwd());
  for (const file of files) {
    const loaded = await loadSuite(file, rootForSuite(file, projectRoot));
    if (loaded.suite !== undefined) suites.push(loaded.suite);
    findings.push(...loaded.findings);
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
    findings.push(...item.findings);
  }
  return { suite: createDatasetSuite(file, sidecar, tests), findings };
}

function loadDocument(file: string, root: string): ParsedSuite {
  const read = readSuiteFile(file);
  if ('finding' in read) return { suite: undefined, findings: [read.finding] };
  if (isSidecar(file, read.text)) {
    const { findings } = parseSidecar(file, read.text, knownFormats().sidecar);
    return { suite: undefined, findings };
  }
  const { suite, findings } = parseSuiteText({ path: file, text: read.text }, knownFormats());
  return suite === undefined ? { suite, findings } : attachAllFiles(suite, findings, root);
}

/** A YAML file without tests, beside a dataset of its own name, belongs to that one. */
function isSidecar(file: string, text: string): boolean {
  if (!/\.yaml$/i.test(file) || !existsSync(file.replace(/\.yaml$/i, '.jsonl'))) return false;
  const document = parseDocument(file, text, 'core');
  return 'source' in document && 'problem' in detectFormat(document.value);
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
