import { FoundSnippet } from '../find/found-snippet.tsx';
import { Cell } from '../grid/cell.tsx';
import { RowLabel } from '../labels/row-label.tsx';
import { Icon } from '../parts/icon.tsx';
import { KnownCost } from '../parts/known-cost.tsx';
import { VerdictBar } from '../parts/verdict-bar.tsx';
import { VerdictCounts } from '../parts/verdict-counts.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { linkTo } from '../route/route.ts';
import { formatDuration, formatScore } from '../text/format.ts';
import { previewText } from '../text/markdown/preview-text.ts';
import { Text } from '../text/text.tsx';
import { isGroup, type FileGroup, type ListRow } from './group-by-file.ts';
import { RepeatMarks } from './repeat-marks.tsx';
import { attemptToOpen, lacksCost, type TestRow } from './test-row.ts';

/** A test in the list of a run, or the heading of its file. */
export function TestCells({
  row,
  ...rest
}: {
  readonly row: ListRow;
  readonly runId: string;
  readonly query: URLSearchParams;
  readonly isGrouped: boolean;
}) {
  return isGroup(row) ? <GroupCell group={row} /> : <OneTest row={row} {...rest} />;
}

function GroupCell({ group: { file, counts, isOpen } }: { readonly group: FileGroup }) {
  return (
    <Cell name="group" span={7}>
      <span class={`fold ${isOpen ? 'is-open' : ''}`}>
        <Icon name="chevron" label={isOpen ? 'Open' : 'Closed'} />
      </span>
      <span class="group-file">
        <Text value={file} />
      </span>
      <VerdictBar counts={counts} />
      <VerdictCounts counts={counts} />
    </Cell>
  );
}

function OneTest({
  row,
  runId,
  query,
  isGrouped,
}: {
  readonly row: TestRow;
  readonly runId: string;
  readonly query: URLSearchParams;
  readonly isGrouped: boolean;
}) {
  const { attempts, test, description, verdict, isFlaky, problem, target, score } = row;
  return (
    <>
      <Cell name="test">
        <VerdictMark outcome={verdict} />
        {isFlaky && <VerdictMark outcome="flaky" />}
        <RowLabel row={row} />
        <a
          class="name"
          href={linkTo(['runs', runId, 'results', attemptToOpen(attempts).index], query)}
          tabIndex={-1}
        >
          <Text value={test} />
        </a>
        {description !== undefined && (
          <span class="dim description">
            <Text value={description} />
          </span>
        )}
        {!isGrouped && (
          <span class="dim file">
            <Text value={row.file} />
          </span>
        )}
      </Cell>
      <Cell name="problem">
        <FoundSnippet row={row}>
          {problem === undefined ? (
            <span class="answer">
              <Text value={previewText(attempts[0]?.answer ?? '').replaceAll('\n', ' ')} />
            </span>
          ) : (
            <Text value={problem.slice(0, 300)} />
          )}
        </FoundSnippet>
      </Cell>
      <Cell name="agent">
        <Text value={target} />
      </Cell>
      <Cell name="repeats">{attempts.length > 1 && <RepeatMarks attempts={attempts} />}</Cell>
      <Cell name="score">{formatScore(score)}</Cell>
      <Cell name="cost">
        <KnownCost usd={row.costUsd} lacks={lacksCost(row)} />
      </Cell>
      <Cell name="time">{formatDuration(row.durationMs)}</Cell>
    </>
  );
}
