import type { ResultDetail } from '../../src/base/model/page-data.ts';
import { ResultView } from '../result/result-view.tsx';
import { Text } from '../text/text.tsx';

/** An answer without what anybody thinks of it: no verdict, no score, no assertion, no judge. */
export function BlindResult({ detail }: { readonly detail: ResultDetail }) {
  const { description, tags } = detail.record;
  return (
    <div class="is-blind">
      <p class="hint">The verdict, the score and what judges say are hidden until you mark this answer.</p>
      {description !== undefined && (
        <p class="result-description">
          <Text value={description} />
        </p>
      )}
      {tags.length > 0 && (
        <p>
          {tags.map((tag) => (
            <span key={tag} class="tag">
              <Text value={tag} />
            </span>
          ))}
        </p>
      )}
      <ResultView detail={withoutVerdict(detail)} />
    </div>
  );
}

function withoutVerdict(detail: ResultDetail): ResultDetail {
  const { record } = detail;
  const { error: _error, score: _score, findings: _findings, metadata: _metadata, ...rest } = record;
  return {
    ...detail,
    sources: [],
    record: {
      ...rest,
      verdict: 'skipped',
      assertions: [],
      steps: record.steps.map((step) => ({ ...step, assertions: [] })),
    },
  };
}
