import type { RunRow } from '../../src/model/page-data.ts';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { Text } from '../text/text.tsx';

const MARKS = { held: 'passed', broken: 'failed', undecided: 'error' } as const;
const NAMES = {
  min_pass_rate: 'Pass rate',
  max_flaky: 'Flaky tests',
  pass_at_least: 'Gates of tests',
  max_cost: 'Budget',
} as const;

/** Every gate and baseline of a run, also those that held: without them a green sign over red tests makes no sense. */
export function GateList({ run: { gates = [], baselines = [] } }: { readonly run: RunRow }) {
  const lines: readonly GateText[] = [
    ...gates.map(({ gate, target, outcome, message }) => ({
      name: NAMES[gate],
      target,
      outcome,
      message,
    })),
    ...baselines.map(({ baseline, target, outcome, message }) => ({
      name: `Baseline ${baseline}`,
      target,
      outcome,
      message,
    })),
  ];
  if (lines.length === 0) return null;
  const groups = groupGates(lines);
  return (
    <ul class="gate-list" aria-label="Gates and baselines">
      {groups.map((group) => (
        <li key={`${group[0].name} ${group[0].outcome} ${group[0].target}`}>
          <VerdictMark outcome={MARKS[group[0].outcome]} />
          {group.length === 1 ? <GateLine {...group[0]} /> : <GateGroup group={group} />}
        </li>
      ))}
    </ul>
  );
}

interface GateText {
  readonly name: string;
  readonly target?: string | undefined;
  readonly outcome: keyof typeof MARKS;
  readonly message: string;
}

/** More lines than this would push the results off the screen. */
const MOST_LINES = 3;

type Group = readonly [GateText, ...GateText[]];

/** The same gate with the same outcome for several targets is one line, if there are many. */
function groupGates(lines: readonly GateText[]): readonly Group[] {
  if (lines.length <= MOST_LINES) return lines.map((line) => [line]);
  const groups = new Map<string, [GateText, ...GateText[]]>();
  for (const line of lines) {
    const key = JSON.stringify([line.name, line.outcome, line.target === undefined ? line.message : '']);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [line]);
    else group.push(line);
  }
  return [...groups.values()];
}

function GateLine({ name, target, outcome, message }: GateText) {
  return (
    <span>
      <span class="gate-name">
        <Text value={name} />
        {target !== undefined && (
          <>
            {' '}
            of <Text value={target} />
          </>
        )}{' '}
        {outcome}:
      </span>{' '}
      <Text value={message} />
    </span>
  );
}

function GateGroup({ group }: { readonly group: Group }) {
  const [{ name, outcome }] = group;
  return (
    <details class="gate-group">
      <summary>
        <span class="gate-name">
          <Text value={name} /> {outcome}
        </span>{' '}
        for <Text value={group.map(({ target }) => target).join(', ')} />
      </summary>
      <ul>
        {group.map((line) => (
          <li key={line.target}>
            <GateLine {...line} />
          </li>
        ))}
      </ul>
    </details>
  );
}
