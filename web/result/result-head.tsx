import type { AttemptRecord } from '../../src/model/record.ts';
import { Command } from '../parts/command.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Fact, Facts } from '../parts/fact.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { linkTo } from '../route/route.ts';
import { useSource } from '../source/source-context.ts';
import type { RunDetail } from '../source/source.ts';
import { formatDuration, formatScore, formatTime, formatTokens } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import { AttemptCost } from './attempt-cost.tsx';
import { failureMarkdown } from './failure-markdown.ts';
import { PlaceLink } from './place-link.tsx';
import { ReadingChoice } from './reading-choice.tsx';
import { rerunLine } from './rerun-line.ts';

/** The result of an attempt, in numbers. */
export function ResultHead({
  record,
  description,
}: {
  readonly record: AttemptRecord;
  readonly description: RunDetail['description'];
}) {
  const source = useSource();
  const { file, test, target } = record;
  return (
    <section class="result-head" aria-label="Summary">
      {record.description !== undefined && (
        <p class="result-description">
          <Text value={record.description} />
        </p>
      )}
      <Facts>
        <Fact name="Verdict">
          <VerdictMark outcome={record.verdict} hasWord />
        </Fact>
        <Fact name="Score">{formatScore(record.score)}</Fact>
        <Fact name="Attempt time">
          <span title="Measured by Assay: all steps, with the agent, its retries and the judges">
            {formatDuration(record.duration_ms)}
          </span>
        </Fact>
        <Fact name="Cost">
          <AttemptCost record={record} />
        </Fact>
        <Fact name="Tokens">{formatTokens(record.token_usage)}</Fact>
        <Fact name="Agent">
          <Text value={target} />
        </Fact>
        {record.retries > 0 && <Fact name="Retries">{record.retries}</Fact>}
        <Fact name="Started">{formatTime(record.started_at)}</Fact>
        <Fact name="File">
          <PlaceLink file={file} line={record.line} column={record.column} />
        </Fact>
        {record.row !== undefined && (
          <Fact name="Row">
            <PlaceLink file={record.row.file} line={record.row.line} column={record.row.column} />
          </Fact>
        )}
        {record.tags.length > 0 && (
          <Fact name="Tags">
            {record.tags.map((tag) => (
              <span key={tag} class="tag">
                <Text value={tag} />
              </span>
            ))}
          </Fact>
        )}
      </Facts>
      <div class="result-actions">
        <Command line={rerunLine(record, description)} />
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
