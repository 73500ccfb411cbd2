import { groupBy } from '../../src/base/model/group-by.ts';
import type { Verdict } from '../../src/base/model/record.ts';
import { rank, type Order } from './sort.ts';
import { attemptToOpen, isBad, type TestRow } from './test-row.ts';

/** The heading of a file in the list of tests. */
export interface FileGroup {
  readonly kind: 'file';
  readonly key: string;
  readonly file: string;
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly isOpen: boolean;
}

/** Below a test that did not pass: the others that failed for the same reason. */
export interface SameReason {
  readonly kind: 'reason';
  readonly key: string;
  readonly count: number;
  readonly isOpen: boolean;
}

export type ListRow = FileGroup | SameReason | TestRow;

/** The keys of the groups that are not as they are at first; `all` are open. */
export type Toggled = ReadonlySet<string> | 'all';

const NOTHING: readonly ListRow[] = [];
/** More tests with the same reason are folded: they push the other reasons off the screen. */
const FEW = 3;

export function isGroup(row: ListRow): row is FileGroup | SameReason {
  return 'kind' in row;
}

export function groupRows(tests: readonly TestRow[], order: Order, toggled: Toggled): readonly ListRow[] {
  if (order.group === 'file') return byFile(tests, order, toggled);
  return order.group === 'reason' && order.key === 'problems' && !order.isReversed
    ? byReason(tests, toggled)
    : tests;
}

/** The reason of a test that did not pass, as the terminal groups them; undefined for other tests. */
export function reasonOf(row: TestRow): string | undefined {
  if (!isBad(row)) return undefined;
  const { cause } = attemptToOpen(row.attempts);
  return cause === undefined ? undefined : `${row.verdict} ${cause}`;
}

/** Tests that failed for the same reason stand together, below the first of them. */
function byReason(tests: readonly TestRow[], toggled: Toggled): readonly ListRow[] {
  const bad = tests.filter(isBad);
  const rest = tests.filter((row) => !isBad(row));
  const groups = groupBy(bad, (row) => reasonOf(row) ?? row.key);
  const lists = [...groups].map(([reason, rows]): readonly ListRow[] => {
    const count = rows.length - 1;
    if (count === 0) return rows;
    const key = `reason ${reason}`;
    const isOpen = toggled === 'all' || toggled.has(key) !== count <= FEW;
    const heading: ListRow = { kind: 'reason', key, count, isOpen };
    return isOpen ? [rows[0]!, heading, ...rows.slice(1)] : [rows[0]!, heading];
  });
  return NOTHING.concat(...lists, rest);
}

/** Tests under the names of their files. Sorted by problems, the file with the worst of them comes first. */
function byFile(tests: readonly TestRow[], order: Order, toggled: Toggled): readonly ListRow[] {
  const groups = [...groupBy(tests, ({ file }) => file)];
  if (order.key === 'problems' && !order.isReversed) groups.sort(([, a], [, b]) => rank(a[0]!) - rank(b[0]!));
  const lists = groups.map(([file, rows]): readonly ListRow[] => {
    const key = `file ${file}`;
    const isOpen = toggled === 'all' || !toggled.has(key);
    const heading: ListRow = { kind: 'file', key, file, counts: countVerdicts(rows), isOpen };
    return isOpen ? NOTHING.concat(heading, rows) : [heading];
  });
  return NOTHING.concat(...lists);
}

function countVerdicts(rows: readonly { readonly verdict: Verdict }[]): Record<Verdict, number> {
  const counts = { passed: 0, failed: 0, error: 0, skipped: 0, not_graded: 0 };
  for (const { verdict } of rows) counts[verdict]++;
  return counts;
}
