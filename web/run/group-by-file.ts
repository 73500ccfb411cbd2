import type { Verdict } from '../../src/model/record.ts';
import { rank, type Order } from './sort.ts';
import type { TestRow } from './test-row.ts';

/** The heading of a file in the list of tests. */
export interface FileGroup {
  readonly key: string;
  readonly file: string;
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly isOpen: boolean;
}

export type ListRow = FileGroup | TestRow;

const NOTHING: readonly ListRow[] = [];

export function isGroup(row: ListRow): row is FileGroup {
  return 'counts' in row;
}

/** Tests under the names of their files. Sorted by problems, the file with the worst of them comes first. */
export function groupByFile(
  tests: readonly TestRow[],
  { order, closed }: { readonly order: Order; readonly closed: ReadonlySet<string> },
): readonly ListRow[] {
  const files = new Map<string, TestRow[]>();
  for (const row of tests) {
    const group = files.get(row.file);
    if (group === undefined) files.set(row.file, [row]);
    else group.push(row);
  }
  const groups = [...files];
  if (order.key === 'problems' && !order.isReversed) groups.sort(([, a], [, b]) => rank(a[0]!) - rank(b[0]!));
  const lists = groups.map(([file, rows]): readonly ListRow[] => {
    const isOpen = !closed.has(file);
    const heading: ListRow[] = [{ key: `file ${file}`, file, counts: countVerdicts(rows), isOpen }];
    return isOpen ? heading.concat(rows) : heading;
  });
  return NOTHING.concat(...lists);
}

function countVerdicts(rows: readonly { readonly verdict: Verdict }[]): Record<Verdict, number> {
  const counts = { passed: 0, failed: 0, error: 0, skipped: 0 };
  for (const { verdict } of rows) counts[verdict]++;
  return counts;
}
