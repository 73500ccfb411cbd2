import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { Icon } from '../parts/icon.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { Choice } from '../parts/choice.tsx';
import { OUTCOME_NAMES } from '../parts/verdict-mark.tsx';
import { formatCount, plural } from '../text/format.ts';
import { hasOutcome, isFiltered, OUTCOMES, type Filter, type Outcome } from './filter.ts';
import { SORT_KEYS, type Order, type SortKey } from './sort.ts';
import type { TestRow } from './test-row.ts';

/** Filters and order of the list of tests. */
export function TestToolbar({
  tests,
  shownCount,
  filter,
  order,
  onFilter,
  onOrder,
  children,
}: {
  readonly tests: readonly TestRow[];
  readonly shownCount: number;
  readonly filter: Filter;
  readonly order: Order;
  readonly onFilter: (filter: Filter) => void;
  readonly onOrder: (order: Order) => void;
  readonly children?: ComponentChildren;
}) {
  const { counts, tags, files, agents } = useMemo(() => surveyTests(tests), [tests]);
  // A test of several targets has a result of each.
  const noun = agents.length > 1 ? 'result' : 'test';
  const toggle = (outcome: Outcome): void =>
    onFilter({
      ...filter,
      outcomes: OUTCOMES.filter((one) => filter.outcomes.includes(one) !== (one === outcome)),
    });
  useShortcuts([
    ...OUTCOMES.map((outcome, index) => ({
      keys: String(index + 1),
      does: `Show ${outcome}, or not`,
      run: () => toggle(outcome),
    })),
    { keys: '0', does: 'Show all verdicts', run: () => onFilter({ ...filter, outcomes: [] }) },
    {
      keys: 's',
      does: 'Change the order',
      run: () => onOrder({ ...order, key: nextKey(order.key), isReversed: false }),
    },
    {
      keys: 'f',
      does: 'Group by file, or not',
      run: () => onOrder({ ...order, isGrouped: !order.isGrouped }),
    },
  ]);
  return (
    <search class="toolbar" aria-label="Tests">
      <SearchBox
        label="Search tests"
        value={filter.text}
        onChange={(text) => onFilter({ ...filter, text })}
      />
      <div class="chips" role="group" aria-label="Verdicts">
        {OUTCOMES.filter((outcome) => counts[outcome] > 0 || filter.outcomes.includes(outcome)).map(
          (outcome) => (
            <button
              key={outcome}
              type="button"
              class={`chip mark-${outcome}`}
              aria-pressed={filter.outcomes.includes(outcome)}
              onClick={() => toggle(outcome)}
            >
              <Icon name={outcome} />
              {OUTCOME_NAMES[outcome]} <span class="chip-count">{formatCount(counts[outcome])}</span>
            </button>
          ),
        )}
      </div>
      <div class="choices">
        <Choice
          label="Tag"
          all="All tags"
          value={filter.tag}
          options={tags}
          onChange={(tag) => onFilter({ ...filter, tag })}
        />
        <Choice
          label="File"
          all="All files"
          value={filter.file}
          options={files}
          onChange={(file) => onFilter({ ...filter, file })}
        />
        <Choice
          label="Agent"
          all="All agents"
          value={filter.agent}
          options={agents}
          onChange={(agent) => onFilter({ ...filter, agent })}
        />
        <Choice
          label="Sort"
          value={order.key}
          options={Object.entries(SORT_KEYS).map(([value, name]) => ({ value, name }))}
          onChange={(key) => onOrder({ ...order, key: key as SortKey, isReversed: false })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={order.isGrouped}
            onChange={() => onOrder({ ...order, isGrouped: !order.isGrouped })}
          />
          By file
        </label>
      </div>
      {children}
      {/* What a search finds is read out; every row of a live run is not. */}
      <output class="dim shown-count" aria-live={isFiltered(filter) ? 'polite' : 'off'}>
        {shownCount === tests.length
          ? plural(tests.length, noun)
          : `${formatCount(shownCount)} of ${plural(tests.length, noun)}`}
      </output>
    </search>
  );
}

function nextKey(key: SortKey): SortKey {
  const keys = Object.keys(SORT_KEYS) as SortKey[];
  return keys[(keys.indexOf(key) + 1) % keys.length]!;
}

/** The number of tests per verdict, and the available choices. */
function surveyTests(tests: readonly TestRow[]): {
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly tags: readonly string[];
  readonly files: readonly string[];
  readonly agents: readonly string[];
} {
  const counts: Record<Outcome, number> = { passed: 0, failed: 0, error: 0, skipped: 0, flaky: 0 };
  const tags = new Set<string>();
  const files = new Set<string>();
  const agents = new Set<string>();
  for (const row of tests) {
    counts[row.verdict]++;
    if (hasOutcome(row, 'flaky')) counts.flaky++;
    for (const tag of row.tags) tags.add(tag);
    files.add(row.file);
    agents.add(row.target);
  }
  return { counts, tags: [...tags].toSorted(), files: [...files].toSorted(), agents: [...agents].toSorted() };
}
