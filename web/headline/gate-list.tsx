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
  const lines = [
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
  return (
    <ul class="gate-list" aria-label="Gates and baselines">
      {lines.map(({ name, target, outcome, message }) => (
        <li key={`${name} ${target}`}>
          <VerdictMark outcome={MARKS[outcome]} />
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
        </li>
      ))}
    </ul>
  );
}
