import type { Finding } from './finding.ts';
import type { Place } from './place.ts';

/** A finding about one row of a test with `each`: its place is in the test that all rows share, so it names the row. */
export function ofRow(finding: Finding, row: Place | undefined): Finding {
  if (row === undefined) return finding;
  return { ...finding, message: `${finding.message} (row ${row.file}:${row.line})` };
}
