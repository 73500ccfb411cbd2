import { dirname } from 'node:path';
import type { AssayConfig } from '../../suites/config/config.ts';
import type { TargetResolver } from '../../suites/config/target-resolver.ts';
import type { OpenSuite } from '../../suites/load/open-suites.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import type { Finding } from '../../base/model/finding.ts';
import { printJson } from '../../base/model/print-json.ts';

/** Settings that apply to a whole run, and therefore come from the config of its first suite. */
const OF_THE_RUN = [
  'gates',
  'repeats',
  'confidence',
  'max_repeats',
  'max_cost',
  'threshold',
  'cassettes',
] as const;

/** Settings in configs of other suites that are ignored. An ignored gate would turn the run green without a word. */
export async function findDroppedSettings(
  suites: readonly OpenSuite[],
  resolver: TargetResolver,
): Promise<readonly Finding[]> {
  const [first] = suites;
  if (first === undefined) return [];
  const decisive = await resolver.configFor(first.file);
  const seen = new Set<AssayConfig>([decisive]);
  const folders = new Set<string>();
  const findings: Finding[] = [];
  for (const { file } of suites) {
    // Suites of one folder have one config.
    if (folders.has(dirname(file))) continue;
    folders.add(dirname(file));
    const config = await resolver.configFor(file);
    if (seen.has(config)) continue;
    seen.add(config);
    const dropped = OF_THE_RUN.filter(
      (name) => config[name] !== undefined && printJson(config[name]) !== printJson(decisive[name] ?? null),
    );
    if (dropped.length > 0) findings.push(droppedFinding(file, dropped, first.file));
  }
  return findings;
}

function droppedFinding(file: string, names: readonly string[], first: string): Finding {
  const listed = names.map((name) => `\`${name}\``).join(', ');
  const finding = fileFinding(
    file,
    'other_config',
    `${listed} in this suite's config are ignored: the config of ${first} decides for the whole run`,
    'run the suites separately, or set it on the command line or in one config for both',
  );
  const isGrave = names.includes('gates') || names.includes('cassettes');
  return isGrave ? finding : { ...finding, severity: 'warning' };
}
