import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { testOfFile } from '../../src/base/model/test-key.ts';
import { chosenValues, toggleValue } from '../find/edit-query.ts';
import { QueryBox } from '../find/query-box.tsx';
import type { ValueKey } from '../find/query.ts';
import { surveyTests, type Survey } from '../find/survey-tests.ts';
import type { FoundTests } from '../find/use-found-tests.ts';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { Popover } from '../parts/popover.tsx';
import { OUTCOME_NAMES } from '../parts/verdict-mark.tsx';
import { formatCount, plural } from '../text/format.ts';
import {
  clearOutcomes,
  filterOf,
  filterOfQuery,
  isFiltered,
  OUTCOMES,
  toggleOutcome,
  type Filter,
} from './filter.ts';
import { GROUPINGS, SORT_KEYS, type Grouping, type Order, type SortKey } from './sort.ts';
import type { TestRow } from './test-row.ts';
import './test-toolbar.css';

/** Filters and order of the list of tests. Its buttons and menus are other ways to write the query. */
export function TestToolbar({
  tests,
  shown,
  isComplete,
  filter,
  order,
  hasGroups,
  onFilter,
  onOrder,
  children,
}: {
  readonly tests: readonly TestRow[];
  readonly shown: FoundTests;
  /** Everything has arrived. */
  readonly isComplete: boolean;
  readonly filter: Filter;
  readonly order: Order;
  /** A grid of targets has none. */
  readonly hasGroups: boolean;
  readonly onFilter: (filter: Filter) => void;
  readonly onOrder: (order: Order) => void;
  readonly children?: ComponentChildren;
}) {
  const survey = useMemo(() => surveyTests(tests), [tests]);
  // A test of several targets has a result of each.
  const noun = useMemo(
    () =>
      new Set(tests.map(({ file, test }) => testOfFile(file, test))).size < tests.length ? 'result' : 'test',
    [tests],
  );
  useShortcuts([
    ...OUTCOMES.map((outcome, index) => ({
      keys: String(index + 1),
      does: `Toggle ${outcome}`,
      run: () => onFilter(toggleOutcome(filter, outcome)),
    })),
    { keys: '0', does: 'Show all verdicts', run: () => onFilter(clearOutcomes(filter)) },
    {
      keys: 's',
      does: 'Change the order',
      run: () => onOrder({ ...order, key: nextOf(SORT_KEYS, order.key), isReversed: false }),
    },
    ...(hasGroups
      ? [
          {
            keys: 'f',
            does: 'Change the grouping',
            run: () => onOrder({ ...order, group: nextOf(GROUPINGS, order.group) }),
          },
        ]
      : []),
  ]);
  return (
    <search class="line toolbar" aria-label="Tests">
      <QueryBox
        label="Search tests"
        filter={filter}
        survey={survey}
        onText={(text) => onFilter(filterOf(text, filter))}
      />
      <OutcomeChips survey={survey} filter={filter} onFilter={onFilter} />
      <Popover name="Filter and sort">
        {MENUS.map(([key, name]) => (
          <ValueMenu key={key} name={name} valueKey={key} {...{ survey, filter, onFilter }} />
        ))}
        <Menu
          label="Sort"
          shown={SORT_KEYS[order.key]}
          options={Object.entries(SORT_KEYS).map(([value, name]) => ({ value, name }))}
          chosen={[order.key]}
          onChoose={(key) => onOrder({ ...order, key: key as SortKey, isReversed: false })}
        />
        {hasGroups && (
          <Menu
            label="Group"
            shown={GROUPINGS[order.group]}
            options={Object.entries(GROUPINGS).map(([value, name]) => ({ value, name }))}
            chosen={[order.group]}
            onChoose={(group) => onOrder({ ...order, group: group as Grouping })}
          />
        )}
      </Popover>
      {children}
      {/* What a search finds is read out; every row of a live run is not. */}
      <output class="dim shown-count" aria-live={isFiltered(filter) ? 'polite' : 'off'}>
        {countText(shown.tests.length, { tests, noun, isComplete })}
      </output>
      {shown.note !== undefined && <p class="dim search-note">{shown.note}</p>}
    </search>
  );
}

const MENUS: readonly (readonly [ValueKey, string])[] = [
  ['tag', 'Tag'],
  ['file', 'File'],
  ['target', 'Agent'],
  ['evaluator', 'Evaluator'],
  ['error', 'Error'],
];

interface FilterProps {
  readonly survey: Survey;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

function OutcomeChips({ survey, filter, onFilter }: FilterProps) {
  const chosen = chosenValues(filter.query, 'verdict');
  const counts = new Map(survey.valuesOf('verdict').map(({ value, count }) => [value, count]));
  return (
    <div class="chips" role="group" aria-label="Verdicts">
      {OUTCOMES.filter((outcome) => (counts.get(outcome) ?? 0) > 0 || chosen.includes(outcome)).map(
        (outcome) => (
          <button
            key={outcome}
            type="button"
            class={`chip mark-${outcome}`}
            aria-pressed={chosen.includes(outcome)}
            onClick={() => onFilter(toggleOutcome(filter, outcome))}
          >
            <Icon name={outcome} />
            <span class="chip-word">{OUTCOME_NAMES[outcome]}</span>{' '}
            <span class="chip-count">{formatCount(counts.get(outcome) ?? 0)}</span>
          </button>
        ),
      )}
    </div>
  );
}

/** Not shown if there is nothing to choose. */
function ValueMenu({
  name,
  valueKey,
  survey,
  filter,
  onFilter,
}: FilterProps & { readonly name: string; readonly valueKey: ValueKey }) {
  const chosen = chosenValues(filter.query, valueKey);
  const found = survey.valuesOf(valueKey);
  const least = valueKey === 'error' ? 1 : 2;
  if (chosen.length === 0 && found.length < least) return null;
  const known = new Set(found.map(({ value }) => value));
  const options = [...chosen.filter((value) => !known.has(value)).map((value) => ({ value })), ...found];
  return (
    <Menu
      label={name}
      shown={chosen.length === 0 ? name : chosen.length === 1 ? chosen[0]! : `${name}: ${chosen.length}`}
      options={options}
      chosen={chosen}
      hasSeveral
      onChoose={(value) => onFilter(filterOfQuery(toggleValue(filter.query, valueKey, value)))}
    />
  );
}

function countText(
  count: number,
  {
    tests,
    noun,
    isComplete,
  }: { readonly tests: readonly TestRow[]; readonly noun: string; readonly isComplete: boolean },
): string {
  const all = plural(tests.length, noun);
  const text = count === tests.length ? all : `${formatCount(count)} of ${all}`;
  return isComplete ? text : `${text} so far…`;
}

function nextOf<Key extends string>(names: Readonly<Record<Key, string>>, key: Key): Key {
  const keys = Object.keys(names) as Key[];
  return keys[(keys.indexOf(key) + 1) % keys.length]!;
}
