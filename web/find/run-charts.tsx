import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Menu } from '../parts/menu.tsx';
import { filterOfQuery, type Filter } from '../run/filter.ts';
import type { TestRow } from '../run/test-row.ts';
import { formatCost, formatCount, plural } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import { chosenValues, hasRanges, toggleRanges, toggleValue } from './edit-query.ts';
import { scoreBins } from './score-bins.ts';
import { usageBars, usageChoices, type UsageBar, type UsageGroup, type UsageKey } from './usage-bars.ts';

interface ChartProps {
  readonly tests: readonly TestRow[];
  readonly shown: readonly TestRow[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

/** How scores, cost and tokens are spread over the tests. A click on a bar filters by it. Nothing, if they say nothing. */
export function RunCharts(props: ChartProps) {
  return (
    <div class="run-charts">
      <ScoreHistogram {...props} />
      <UsageBars {...props} />
    </div>
  );
}

function ScoreHistogram({ tests, shown, filter, onFilter }: ChartProps) {
  const bins = useMemo(() => scoreBins(tests, shown), [tests, shown]);
  if (bins === undefined) return null;
  const most = Math.max(...bins.map(({ all }) => all));
  return (
    <figure class="run-chart">
      <figcaption class="label">Scores</figcaption>
      <Bars label="Scores" className="histogram">
        {bins.map(({ ranges, name, all, shown: some }, index) => (
          <button
            key={name}
            type="button"
            class="bare histogram-bar"
            tabIndex={index === 0 ? 0 : -1}
            aria-pressed={hasRanges(filter.query, 'score', ranges)}
            aria-label={`Score ${name}: ${plural(all, 'test')}${some === all ? '' : `, ${formatCount(some)} shown`}`}
            title={`${name}: ${plural(all, 'test')}`}
            onClick={() => onFilter(filterOfQuery(toggleRanges(filter.query, 'score', ranges)))}
          >
            <span class="bar-all" style={{ height: lengthOf(all, most) }} />
            <span class="bar-shown" style={{ height: lengthOf(some, most) }} />
          </button>
        ))}
      </Bars>
      <div class="histogram-axis dim" aria-hidden="true">
        <span>0</span>
        <span>0.5</span>
        <span>1</span>
      </div>
    </figure>
  );
}

/** Every bar with a test in it can be seen. */
function lengthOf(amount: number, most: number, least = '3px'): string {
  return amount === 0 ? '0' : `max(${least}, ${(100 * amount) / most}%)`;
}

const MOST_BARS = 4;
const USAGE_NAMES: Readonly<Record<UsageKey, string>> = { cost: 'Cost', tokens: 'Tokens' };

function UsageBars({ tests, shown, filter, onFilter }: ChartProps) {
  const choices = useMemo(() => usageChoices(tests), [tests]);
  const [wanted, setWanted] = useState('');
  const choice = choices.find(({ key, by }) => `${key} ${by}` === wanted) ?? choices[0];
  const bars = useMemo(
    () => (choice === undefined ? [] : usageBars(tests, shown, choice)),
    [tests, shown, choice],
  );
  if (choice === undefined) return null;
  const { key, by } = choice;
  const most = Math.max(...bars.map(({ all }) => all));
  const format = (amount: number): string => (key === 'cost' ? formatCost(amount) : formatCount(amount));
  const title = usageTitle(choice);
  const chosen = chosenValues(filter.query, by);
  return (
    <figure class="run-chart">
      <figcaption class="label">
        {choices.length === 1 ? (
          title
        ) : (
          <Menu
            label="Usage"
            shown={title}
            options={choices.map((one) => ({ value: `${one.key} ${one.by}`, name: usageTitle(one) }))}
            chosen={[`${key} ${by}`]}
            onChoose={setWanted}
          />
        )}
      </figcaption>
      <Bars label={title} className="usage">
        {bars.slice(0, MOST_BARS).map((bar, index) => (
          <button
            key={bar.value}
            type="button"
            class="bare usage-bar"
            tabIndex={index === 0 ? 0 : -1}
            aria-pressed={chosen.includes(bar.value)}
            title={describe(bar)}
            onClick={() => onFilter(filterOfQuery(toggleValue(filter.query, by, bar.value)))}
          >
            <span class="cut">
              <Text value={bar.value} />
            </span>
            <span class="usage-track">
              <span class="bar-all" style={{ width: lengthOf(bar.all, most, '2px') }} />
              <span class="bar-shown" style={{ width: lengthOf(bar.shown, most, '2px') }} />
            </span>
            <span class="usage-amount">
              {bar.known < bar.tests && <span title={describe(bar)}>≥ </span>}
              {format(bar.all)}
            </span>
          </button>
        ))}
      </Bars>
      {bars.length > MOST_BARS && (
        <span class="dim usage-more">and {plural(bars.length - MOST_BARS, 'other')}</span>
      )}
    </figure>
  );
}

function usageTitle({ key, by }: { readonly key: UsageKey; readonly by: UsageGroup }): string {
  return `${USAGE_NAMES[key]} by ${by === 'target' ? 'agent' : 'tag'}`;
}

function describe({ known, tests }: UsageBar): string {
  return known === tests
    ? plural(tests, 'test')
    : `known for ${formatCount(known)} of ${plural(tests, 'test')}`;
}

/** A row of buttons with one place in the order of Tab: arrows move within it. */
function Bars({
  label,
  className,
  children,
}: {
  readonly label: string;
  readonly className: string;
  readonly children: ComponentChildren;
}) {
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: buttons.length - 1,
    };
    const next = buttons[moves[event.key] ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next.focus();
  };
  return (
    <div class={className} role="toolbar" aria-label={label} onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}
