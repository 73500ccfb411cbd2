import type { ComponentChildren } from 'preact';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { isOfRecordings } from '../../src/base/model/run-again.ts';
import { Command } from '../parts/command.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { linkTo } from '../route/route.ts';
import { useSource } from '../source/source-context.ts';
import type { RunDetail } from '../source/source.ts';
import { formatDuration, formatTime, formatTokens, plural } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import { AttemptCost } from './attempt-cost.tsx';
import { failureMarkdown } from './failure-markdown.ts';
import { PlaceLink } from './place-link.tsx';
import { ReadingChoice } from './reading-choice.tsx';
import { rerunLine } from './rerun-line.ts';
import { ScoreLine } from './score-line.tsx';

/** The result of an attempt, in numbers. */
export function ResultHead({
  record,
  description,
  again,
}: {
  readonly record: AttemptRecord;
  readonly description: RunDetail['description'];
  /** The button that runs it again. */
  readonly again?: ComponentChildren;
}) {
  const source = useSource();
  const { file, test, target, row, retries, token_usage, tags } = record;
  return (
    <section class="stack result-head" aria-label="Summary">
      {record.description !== undefined && (
        <p class="result-description">
          <Text value={record.description} />
        </p>
      )}
      <ScoreLine record={record} />
      <p class="result-facts dim">
        <PlaceLink place={record} />
        {row !== undefined && (
          <span>
            row <PlaceLink place={row} />
          </span>
        )}
        <Text value={target} />
        <span
          title={
            record.source === undefined
              ? 'Measured by Assay: all steps, with the agent, its retries and the judges'
              : 'As the recording tells'
          }
        >
          {formatDuration(record.duration_ms)}
        </span>
        <span>
          <AttemptCost record={record} />
        </span>
        {token_usage !== undefined && <span>{formatTokens(token_usage)}</span>}
        {retries > 0 && <span>{plural(retries, 'retry', 'retries')}</span>}
        <span>{formatTime(record.started_at)}</span>
        {tags.length > 0 && (
          <span>
            {tags.map((tag) => (
              <span key={tag} class="tag">
                <Text value={tag} />
              </span>
            ))}
          </span>
        )}
      </p>
      <div class="line result-actions">
        {!isOfRecordings(description ?? {}) && <Command line={rerunLine(record, description)} />}
        {again}
        {(record.verdict === 'failed' || record.verdict === 'error') && (
          <CopyButton
            name="Copy as Markdown"
            text={() => failureMarkdown(record, rerunLine(record, description))}
          />
        )}
        {source.holds === 'all runs' && (
          <a href={linkTo(['history'], { file, test, target })}>History of this test</a>
        )}
        <ReadingChoice />
      </div>
    </section>
  );
}
