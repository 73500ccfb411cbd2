import { repairHint, type Damage } from '../../runs/journal/damaged-run.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import type { Finding } from '../../base/model/finding.ts';
import { grouped } from '../../base/model/grouped.ts';

/** More than anybody reads. */
const MOST = 20;

/** What part of a run is damaged, for its reports. */
export function damageFindings({ runId, path }: RunDirectory, damage: readonly Damage[]): readonly Finding[] {
  const hint = repairHint(runId);
  const findings = damage
    .slice(0, MOST)
    .map(({ file, line = 1, message }) => ({ ...fileFinding(file, 'damaged_run', message, hint), line }));
  const rest = damage.length - findings.length;
  return rest === 0
    ? findings
    : [...findings, fileFinding(path, 'damaged_run', `${grouped(rest)} more are damaged`, hint)];
}
