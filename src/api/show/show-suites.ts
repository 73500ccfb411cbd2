import { discover, discoveryFindings } from '../../load/discover.ts';
import { loadSuite } from '../../load/load-suites.ts';
import { createRootFinder } from '../../load/project-root.ts';
import { hasErrors, type Finding } from '../../model/finding.ts';
import type { Suite } from '../../model/suite.ts';
import { nothingFound } from '../shared/nothing-found.ts';

interface ShowOptions {
  /** Paths, globs or parts of names. Default: the current folder. */
  readonly paths: readonly string[];
  readonly passWithNoTests: boolean;
}

/** Loads the suites one after the other, and returns what is wrong with them. */
export async function showSuites(
  { paths, passWithNoTests }: ShowOptions,
  onSuite: (suite: Suite) => Promise<void>,
): Promise<readonly Finding[]> {
  const discovery = await discover(paths);
  const { files } = discovery;
  const findings: Finding[] = discoveryFindings(discovery);
  if (files.length === 0 && !hasErrors(findings) && !passWithNoTests) findings.push(nothingFound(paths));
  const rootOf = createRootFinder(process.cwd());
  for (const file of files) {
    const { suite, findings: found } = await loadSuite(file, rootOf(file));
    for (const finding of found) findings.push(finding);
    if (suite !== undefined) await onSuite(suite);
  }
  return findings;
}
