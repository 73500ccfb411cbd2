import type { Finding } from './finding.ts';
import type { Place } from './place.ts';

/** A finding about one row of a test with `each`: its place is in the test that all rows share, so it names the row. */
export function ofRow(finding: Finding, row: Place | undefined): Finding {
  if (row === undefined) return finding;
  return { ...finding, message: finding.message + rowNote(row) };
}

/** The same finding after its row moved. */
export function ofMovedRow(finding: Finding, from: Place | undefined, to: Place | undefined): Finding {
  if (from === undefined || !finding.message.endsWith(rowNote(from))) return finding;
  return ofRow({ ...finding, message: finding.message.slice(0, -rowNote(from).length) }, to);
}

function rowNote({ file, line }: Place): string {
  return ` (row ${file}:${line})`;
}
