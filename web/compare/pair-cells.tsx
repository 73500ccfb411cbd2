import { Cell } from '../grid/cell.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { RepeatMarks } from '../run/repeat-marks.tsx';
import type { TestRow } from '../run/test-row.ts';
import { formatScore, UNKNOWN } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import { PAIR_KIND, type TestPair } from './pair-tests.ts';

/** A test in two runs, in the list of a comparison. */
export function PairCells({ pair, link }: { readonly pair: TestPair; readonly link: string }) {
  const { test, file, target, before_target, kind, before, after, p_value: pValue } = pair;
  return (
    <>
      <Cell name="kind">
        <span class={`kind kind-${kind}`}>{PAIR_KIND[kind]}</span>
      </Cell>
      <Cell name="test">
        <a class="name" href={link} tabIndex={-1}>
          <Text value={test} />
        </a>
        <span class="dim file">
          <Text value={file} />
        </span>
      </Cell>
      <Cell name="agent">
        {before_target !== undefined && (
          <>
            <Text value={before_target} /> →{' '}
          </>
        )}
        <Text value={target} />
      </Cell>
      <Cell name="before">
        <Side row={before} />
      </Cell>
      <Cell name="after">
        <Side row={after} />
      </Cell>
      <Cell name="problem">
        {after?.problem !== undefined && <Text value={after.problem.slice(0, 300)} />}
      </Cell>
      <Cell name="p">{pValue === undefined ? '' : formatP(pValue)}</Cell>
    </>
  );
}

function Side({ row }: { readonly row: TestRow | undefined }) {
  if (row === undefined) return <span class="dim">{UNKNOWN}</span>;
  return (
    <span class="side">
      <VerdictMark outcome={row.verdict} />
      {row.attempts.length > 1 ? <RepeatMarks attempts={row.attempts} /> : formatScore(row.score)}
    </span>
  );
}

export function formatP(value: number): string {
  return value < 0.001 ? 'p < 0.001' : `p = ${value.toFixed(value < 0.1 ? 3 : 2)}`;
}
