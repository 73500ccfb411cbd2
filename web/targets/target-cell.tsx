import { KnownCost } from '../parts/known-cost.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { RepeatMarks } from '../run/repeat-marks.tsx';
import { agentCost, attemptToOpen, lacksCost, type TestRow } from '../run/test-row.ts';
import { formatDuration, formatScore } from '../text/format.ts';
import { previewText } from '../text/markdown/preview-text.ts';
import { Text } from '../text/text.tsx';

/** What one target made of a test: its verdict and numbers, and how its answer begins. */
export function TargetCell({ row, target }: { readonly row: TestRow | undefined; readonly target: string }) {
  if (row === undefined)
    return (
      <span class="dim">
        <span class="target-name">
          <Text value={target} />{' '}
        </span>
        Not run
      </span>
    );
  const { attempts, verdict, isFlaky, problem, score } = row;
  const { answer } = attemptToOpen(attempts);
  const cost = agentCost(row);
  return (
    <>
      <span class="target-line">
        <VerdictMark outcome={verdict} />
        {isFlaky && <VerdictMark outcome="flaky" />}
        <span class="target-name">
          <Text value={target} />
        </span>
        {attempts.length > 1 && <RepeatMarks attempts={attempts} />}
        {score !== undefined && <span class="bold">{formatScore(score)}</span>}
        <span class="target-numbers dim">
          {cost !== undefined && (
            <span>
              <KnownCost usd={cost} lacks={lacksCost(row)} />
            </span>
          )}
          {verdict !== 'skipped' && <span>{formatDuration(row.durationMs)}</span>}
        </span>
      </span>
      {problem !== undefined && (
        <span class="target-problem cut">
          <Text value={problem} />
        </span>
      )}
      {answer !== undefined && (
        <span class={problem === undefined ? 'target-answer' : 'target-answer is-short'}>
          {previewText(answer)
            .split('\n')
            .map((line, index) => (
              <span key={index} class="target-answer-line">
                <Text value={line} />
              </span>
            ))}
        </span>
      )}
    </>
  );
}
