import { discover, discoveryFindings } from '../../suites/load/discover.ts';
import { createRootFinder } from '../../suites/load/project-root.ts';
import { streamSuite, type StreamedSuite } from '../../suites/load/stream-suite.ts';
import { hasErrors, type Finding } from '../../base/model/finding.ts';
import { ProjectEvaluators } from '../evaluation/project-evaluators.ts';
import { withConfigDefaults } from '../basics/with-config-defaults.ts';
import { nothingFound } from '../basics/nothing-found.ts';

interface ShowOptions {
  /** Paths, globs or parts of names. Default: the current folder. */
  readonly paths: readonly string[];
  readonly passWithNoTests: boolean;
  /** Code of the project is executed: configs and evaluators. */
  readonly trustConfig?: boolean;
}

/** Loads the suites one after the other, and returns their findings. */
export async function showSuites(
  options: ShowOptions,
  onSuite: (suite: StreamedSuite) => Promise<void>,
): Promise<readonly Finding[]> {
  const { passWithNoTests, trustConfig } = options;
  const { paths } = await withConfigDefaults(options, { mayExecute: trustConfig === true });
  const discovery = await discover(paths);
  const { files } = discovery;
  const findings: Finding[] = discoveryFindings(discovery);
  if (files.length === 0 && !hasErrors(findings) && !passWithNoTests) findings.push(nothingFound(paths));
  const rootOf = createRootFinder(process.cwd());
  const evaluators = new ProjectEvaluators({ mayExecute: trustConfig === true });
  for (const file of files) {
    const formats = await evaluators.formatsOf(file);
    const { suite, findings: found } = await streamSuite(file, rootOf(file), formats);
    // A dataset is checked while its tests are shown.
    if (suite !== undefined) await onSuite(suite);
    for (const finding of found) findings.push(finding);
  }
  await evaluators.close();
  return [...evaluators.findings, ...findings];
}
