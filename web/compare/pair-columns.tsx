import { pWords } from '../../src/base/model/comparison-headline.ts';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { RepeatMarks } from '../run/repeat-marks.tsx';
import type { TestRow } from '../run/test-row.ts';
import type { Columns } from '../table/column.ts';
import { formatScore, UNKNOWN } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import { PAIR_KIND, type PairKind, type TestPair } from './pair-tests.ts';
import './pair-columns.css';

/** A test in two runs, in the list of a comparison. */
export function pairColumns(
  pairs: readonly TestPair[],
  linkOf: (pair: TestPair) => string,
): Columns<TestPair> {
  const agents = new Set(pairs.map(({ target }) => target));
  return [
    {
      name: 'kind',
      title: 'Change',
      width: '7.5rem',
      phone: { order: 1 },
      cell: ({ kind }) => <span class={KIND_CLASSES[kind] ?? 'dim'}>{PAIR_KIND[kind]}</span>,
    },
    {
      name: 'test',
      title: 'Test',
      width: 'minmax(12rem, 2fr)',
      phone: { order: 0, isWide: true },
      cell: (pair) => (
        <>
          <a class="name" href={linkOf(pair)} tabIndex={-1}>
            <Text value={pair.test} />
          </a>
          <span class="dim file">
            <Text value={pair.file} />
          </span>
        </>
      ),
    },
    (agents.size > 1 || pairs.some(({ before_target }) => before_target !== undefined)) && {
      name: 'agent',
      title: 'Agent',
      width: 'minmax(4rem, 9rem)',
      from: 1100,
      cell: ({ target, before_target }) => (
        <>
          {before_target !== undefined && (
            <>
              <Text value={before_target} /> →{' '}
            </>
          )}
          <Text value={target} />
        </>
      ),
    },
    {
      name: 'before',
      title: 'Before',
      width: '6.5rem',
      phone: { order: 2 },
      cell: ({ before }) => <Side row={before} />,
    },
    {
      name: 'after',
      title: 'After',
      width: '6.5rem',
      phone: { order: 3 },
      cell: ({ after }) => <Side row={after} />,
    },
    {
      name: 'problem',
      title: 'Problem',
      width: 'minmax(8rem, 3fr)',
      from: 900,
      cell: ({ after }) => after?.problem !== undefined && <Text value={after.problem.slice(0, 300)} />,
    },
    pairs.some(({ p_value }) => p_value !== undefined) && {
      name: 'p',
      title: 'p-value',
      width: '5.5rem',
      isNumber: true,
      cell: ({ p_value }) => (p_value === undefined ? '' : pWords(p_value)),
    },
  ];
}

const KIND_CLASSES: Readonly<Partial<Record<PairKind, string>>> = {
  new_failure: 'bold mark-failed',
  fix: 'bold mark-passed',
  unmeasured: 'mark-error',
  flip: 'mark-flaky',
};

function Side({ row }: { readonly row: TestRow | undefined }) {
  if (row === undefined) return <span class="dim">{UNKNOWN}</span>;
  return (
    <span class="side">
      <VerdictMark outcome={row.verdict} />
      {row.attempts.length > 1 ? <RepeatMarks attempts={row.attempts} /> : formatScore(row.score)}
    </span>
  );
}
