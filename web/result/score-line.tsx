import type { AttemptRecord } from '../../src/base/model/record.ts';
import { exactScore, scoreSums } from '../../src/base/model/score-sums.ts';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { Text } from '../text/text.tsx';
import { outcomeOf } from './assertion.tsx';
import { ScoreBar } from './judge/score-bar.tsx';
import './score-line.css';

const MOST = 12;

/** Where the score of a test comes from: each evaluator with its weight, and what their mean must reach. */
export function ScoreLine({ record }: { readonly record: AttemptRecord }) {
  const sums = scoreSums(record);
  if (sums.length === 0) return null;
  return (
    <div class="stack gap-1 score-sums" role="group" aria-label="Score">
      {sums.map(({ name, evaluators, mean, threshold, isLow }) => (
        <div key={name} class="line score-sum">
          <span class="dim">{sums.length === 1 ? 'Score' : `Score of ${name}`}</span>
          <strong class={isLow ? 'mark-failed' : ''}>
            {mean === undefined ? 'unknown' : exactScore(mean)}
          </strong>
          {threshold !== undefined && (
            <span class="dim">
              {isLow ? 'is below' : 'reaches'} the threshold {exactScore(threshold)}
            </span>
          )}
          {mean !== undefined && <ScoreBar score={mean} least={threshold} isGood={!isLow} />}
          {evaluators.length > 1 && <span aria-hidden="true">=</span>}
          {evaluators.slice(0, MOST).map((evaluator, index) => (
            <span key={index} class="score-part">
              {index > 0 && <span class="dim">+ </span>}
              <VerdictMark outcome={outcomeOf(evaluator)} /> <Text value={evaluator.name} />{' '}
              {evaluator.score === undefined ? 'not measured' : exactScore(evaluator.score)}
              <span class="dim"> × {evaluator.weight}</span>
              {evaluator.required !== undefined && evaluator.required !== false && (
                <span class="tag">
                  required{typeof evaluator.required === 'number' ? ` ${evaluator.required}` : ''}
                </span>
              )}
            </span>
          ))}
          {evaluators.length > MOST && <span class="dim">and {evaluators.length - MOST} more</span>}
        </div>
      ))}
    </div>
  );
}
