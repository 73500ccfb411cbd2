import { openSuites, type OpenSuite } from '../../suites/load/open-suites.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';
import { fileFinding, readSuiteFile } from '../../suites/load/read-suite-file.ts';
import type { Finding } from '../../base/model/finding.ts';
import { splitSuiteLines } from '../../base/model/suite-lines.ts';
import type { Selection } from '../../run/plan/select.ts';
import type { RunOptions } from '../basics/run-options.ts';
import { ProjectEvaluators } from '../evaluation/project-evaluators.ts';
import { splitLines } from './split-lines.ts';

export interface SelectedSuites {
  /** The suites that can run: an invalid file cannot. */
  readonly suites: readonly OpenSuite[];
  readonly findings: readonly Finding[];
  readonly selection: Selection;
  readonly projectRoot: string;
  /** Close them at the end. */
  readonly evaluators: ProjectEvaluators;
}

interface SelectRules {
  /** Whether this command executes code of the project. */
  readonly mayExecute: boolean;
}

/** What a run should run, checked. `--last-failed` narrows it later, when the agents are known. */
export async function selectSuites(
  options: RunOptions,
  { mayExecute }: SelectRules,
): Promise<SelectedSuites> {
  const projectRoot = findProjectRoot(process.cwd());
  const { paths, lines } = splitLines(options.paths ?? []);
  const { config, agent, onSecrets } = options;
  const evaluators = new ProjectEvaluators({
    config,
    mayExecute,
    onSecrets,
    isOptional: agent !== undefined,
  });
  const opened = await openSuites(paths, evaluators.formatsOf).catch(async (error: unknown) => {
    await evaluators.close();
    throw error;
  });
  // A file without tests beside others would lose its tests unnoticed.
  const isError = ({ code }: Finding): boolean =>
    options.strict === true || (code === 'no_cases' && options.passWithNoTests !== true);
  const findings: Finding[] = [...evaluators.findings, ...opened.findings].map((finding) =>
    isError(finding) ? { ...finding, severity: 'error' } : finding,
  );
  if (options.ci === true)
    findings.push(...opened.suites.filter(({ hasOnly }) => hasOnly).map(({ file }) => onlyInCi(file)));
  findings.push(...linesBeyondEnd(lines));
  const broken = new Set(findings.filter(({ severity }) => severity === 'error').map(({ file }) => file));
  return {
    suites: opened.suites.filter(({ file }) => !broken.has(file)),
    findings,
    selection: {
      grep: options.grep,
      grepInvert: options.grepInvert,
      tags: options.tags,
      excludedTags: options.excludedTags,
      lines,
    },
    projectRoot,
    evaluators,
  };
}

/** `file.yaml:99` of a file with fewer lines: the last test is not what anybody meant. */
function linesBeyondEnd(lines: ReadonlyMap<string, readonly number[]>): readonly Finding[] {
  return [...lines].flatMap(([file, numbers]) => {
    const read = readSuiteFile(file);
    if (!('text' in read)) return [];
    const all = splitSuiteLines(read.text, file);
    const last = all.at(-1) === '' ? all.length - 1 : all.length;
    return numbers
      .filter((line) => line < 1 || line > last)
      .map((line) => ({
        ...fileFinding(
          file,
          'no_such_line',
          `there is no line ${line}: the file has ${last} ${last === 1 ? 'line' : 'lines'}`,
          `\`assay run --list ${file}\` lists its tests with their lines`,
        ),
        line,
      }));
  });
}

function onlyInCi(file: string): Finding {
  return fileFinding(
    file,
    'only_in_ci',
    '`only` is set and would hide every other test',
    'remove it: `only` is not allowed in CI',
  );
}
