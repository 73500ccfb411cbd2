import type { Comparison } from '../../src/base/model/comparison.ts';
import {
  byTestSentence,
  detectableSentences,
  leftOutSentences,
  measureWords,
  ownChangesSentence,
  regressionSentence,
  scoreWords,
  testedSentence,
} from '../../src/base/model/comparison-words.ts';
import { Fact, Facts } from '../parts/fact.tsx';
import { Text } from '../text/text.tsx';

/** What the terminal says about a comparison below its headline, in the same sentences. */
export function CompareStats({ comparison }: { readonly comparison: Comparison }) {
  const sentences = [ownChangesSentence(comparison), byTestSentence(comparison)];
  const small = [
    ...leftOutSentences(comparison),
    ...detectableSentences(comparison),
    testedSentence(comparison),
  ].filter((sentence) => sentence !== undefined);
  const scores = scoreWords(comparison);
  const regression = regressionSentence(comparison);
  return (
    <section class="stack gap-3 compare-stats card" aria-label="Statistics">
      <p>
        <strong class={comparison.regression.found ? 'mark-failed' : ''}>
          {regression ?? 'No regression.'}
        </strong>{' '}
        {sentences.filter((sentence) => sentence !== undefined).join(' ')}
      </p>
      <Facts>
        {scores !== undefined && <Fact name="Mean score">{scores}</Fact>}
        {measureWords(comparison).map(([name, words]) => (
          <Fact key={name} name={name}>
            {words}
          </Fact>
        ))}
      </Facts>
      {small.length > 0 && (
        <p class="dim">
          <Text value={small.join(' ')} />
        </p>
      )}
    </section>
  );
}
