import type { Column } from '../grid/grid.tsx';
import { SORT_KEYS, type Order, type SortKey } from './sort.ts';

const COLUMNS: readonly { readonly name: string; readonly title: string; readonly sort?: SortKey }[] = [
  { name: 'test', title: 'Test', sort: 'name' },
  { name: 'problem', title: 'Problem or answer', sort: 'problems' },
  { name: 'agent', title: 'Agent' },
  { name: 'repeats', title: 'Repeats' },
  { name: 'score', title: 'Score', sort: 'score' },
  { name: 'cost', title: 'Cost', sort: 'cost' },
  { name: 'time', title: 'Time', sort: 'time' },
];

/** The headings of the list of tests; most of them sort it. */
export function testColumns(order: Order, onOrder: (order: Order) => void): readonly Column[] {
  return COLUMNS.map(({ name, title, sort }) => {
    if (sort === undefined) return { name, title };
    const isCurrent = order.key === sort;
    const arrow = isCurrent ? (order.isReversed ? ' ↑' : ' ↓') : '';
    const button = (
      <button
        type="button"
        class="sort"
        aria-pressed={isCurrent}
        title={`Sort: ${SORT_KEYS[sort]}`}
        onClick={() => onOrder({ ...order, key: sort, isReversed: isCurrent && !order.isReversed })}
      >
        {title}
        {arrow}
      </button>
    );
    return { name, title: button };
  });
}
