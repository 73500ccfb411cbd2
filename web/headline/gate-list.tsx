import { GATE_OUTCOMES } from '../../src/base/model/run-headline.ts';
import { groupBy } from '../../src/base/model/group-by.ts';
import type { RunRow } from '../../src/base/model/page-data.ts';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { Text } from '../text/text.tsx';
import './gate-list.css';

const MARKS = { held: 'passed', broken: 'failed', undecided: 'error' } as const;
const NAMES = {
  min_pass_rate: 'Pass rate',
  max_flaky: 'Flaky tests',
  pass_at_least: 'Gates of tests',
  max_cost: 'Budget',
} as const;

/** Every gate and baseline of a run, even those that passed: without them a green sign over red tests makes no sense. */
export function GateList({ run }: { readonly run: RunRow }) {
  const lines = gateTexts(run);
  if (lines.length === 0) return null;
  const groups = groupGates(lines);
  return (
    <ul class="stack gap-1 gate-list" aria-label="Gates and baselines">
      {groups.map((group) => (
        <li key={`${group[0]!.name} ${group[0]!.outcome} ${group[0]!.target}`}>
          <VerdictMark outcome={MARKS[group[0]!.outcome]} />
          {group.length === 1 ? <GateLine {...group[0]!} /> : <GateGroup group={group} />}
        </li>
      ))}
    </ul>
  );
}

/** Those that did not pass, in a line; many of them are counted. */
export function UnmetGates({ run }: { readonly run: RunRow }) {
  const unmet = gateTexts(run).filter(({ outcome }) => outcome !== 'held');
  if (unmet.length > 2) return <span class="mark-failed">{unmet.length} gates did not pass</span>;
  return (
    <>
      {unmet.map((gate) => (
        <span key={`${gate.name} ${gate.target}`} class={`mark-${MARKS[gate.outcome]}`}>
          <GateLine {...gate} />
        </span>
      ))}
    </>
  );
}

function gateTexts({ gates = [], baselines = [] }: RunRow): readonly GateText[] {
  return [
    ...gates.map((one) => ({ ...one, name: NAMES[one.gate] })),
    ...baselines.map((one) => ({ ...one, name: `Baseline ${one.baseline}` })),
  ];
}

interface GateText {
  readonly name: string;
  readonly target?: string | undefined;
  readonly outcome: keyof typeof MARKS;
  readonly message: string;
}

/** More lines than this would push the results off the screen. */
const MOST_LINES = 3;

/** The same gate with the same outcome for several targets is one line, if there are many. */
function groupGates(lines: readonly GateText[]): readonly (readonly GateText[])[] {
  if (lines.length <= MOST_LINES) return lines.map((line) => [line]);
  const groups = groupBy(lines, ({ name, outcome, target, message }) =>
    JSON.stringify([name, outcome, target === undefined ? message : '']),
  );
  return [...groups.values()];
}

function GateLine({ name, target, outcome, message }: GateText) {
  return (
    <span>
      <span class="bold">
        <Text value={name} />
        {target !== undefined && (
          <>
            {' '}
            of <Text value={target} />
          </>
        )}{' '}
        {GATE_OUTCOMES[outcome]}:
      </span>{' '}
      <Text value={message} />
    </span>
  );
}

function GateGroup({ group }: { readonly group: readonly GateText[] }) {
  const { name, outcome } = group[0]!;
  return (
    <details class="gate-group">
      <summary>
        <span class="bold">
          <Text value={name} /> {GATE_OUTCOMES[outcome]}
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
