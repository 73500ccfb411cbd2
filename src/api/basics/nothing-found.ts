import { fileFinding } from '../../suites/load/read-suite-file.ts';
import type { Finding } from '../../base/model/finding.ts';

/** These paths contain no suite: checking or showing nothing would look like success. */
export function nothingFound(paths: readonly string[]): Finding {
  const where = paths.length === 0 ? '.' : paths.join(' ');
  return fileFinding(
    where,
    'no_suites',
    'no suites found here',
    'suites are found by name: *.test.yaml, *.eval.yaml, EVAL.yaml, dataset*.jsonl, ...',
  );
}
