import type { ComponentChildren } from 'preact';
import type { AssertionRecord } from '../../../src/base/model/record.ts';
import { VerdictMark } from '../../parts/verdict-mark.tsx';
import { formatCost, formatScore, formatTokens, plural } from '../../text/format.ts';
import { RichText } from '../../text/rich-text.tsx';
import { Text } from '../../text/text.tsx';
import { ValueView } from '../value-view.tsx';
import { QuoteList } from './quote-list.tsx';
import type { JudgedRubric, Judgement } from './read-judgement.ts';
import { ScoreBar } from './score-bar.tsx';
import './judge.css';

/** What a judge decided: the score and what it needs, each rubric, the reasons, and the words they rest on. */
export function JudgeCard({
  assertion,
  judgement,
}: {
  readonly assertion: AssertionRecord;
  readonly judgement: Judgement;
}) {
  const { score, passed, message, expected, judge_calls, judge_token_usage, judge_cost_usd } = assertion;
  const { model, threshold, reference, rubrics, quotes, samples } = judgement;
  const facts = [
    ...(judge_calls === undefined ? [] : [plural(judge_calls, 'call')]),
    ...(judge_token_usage === undefined ? [] : [formatTokens(judge_token_usage)]),
    ...(judge_cost_usd === undefined ? [] : [formatCost(judge_cost_usd)]),
  ];
  return (
    <div class="stack gap-3 box judge-card">
      <div class="judge-head">
        {score !== undefined && (
          <p class="judge-score">
            <strong class={passed === true ? 'mark-passed' : 'mark-failed'}>{formatScore(score)}</strong>
            <span class="dim">{threshold === undefined ? 'of 1' : `needs ${formatScore(threshold)}`}</span>
          </p>
        )}
        {score !== undefined && <ScoreBar score={score} least={threshold} isGood={passed === true} />}
        <p class="dim judge-facts">
          Judged by <Text value={model} />
          {facts.length > 0 && ` · ${facts.join(' · ')}`}
          {samples.length > 0 && ` · samples ${samples.map(formatScore).join(', ')}`}
        </p>
      </div>
      {rubrics.length > 0 && (
        <ul class="stack gap-3">
          {rubrics.map((rubric) => (
            <Rubric key={rubric.id} rubric={rubric} />
          ))}
        </ul>
      )}
      {message !== '' && <RichText className="judge-reasons" value={message} />}
      <QuoteList quotes={quotes} />
      {typeof expected === 'string' && expected !== '' && (
        <Block name="Expected outcome">
          <RichText value={expected} />
        </Block>
      )}
      {reference !== undefined && (
        <Block name="Reference answer">
          <ValueView value={reference} label="Reference answer" />
        </Block>
      )}
    </div>
  );
}

function Block({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="stack gap-1 judge-block">
      <span class="label">{name}</span>
      {children}
    </div>
  );
}

function Rubric({ rubric }: { readonly rubric: JudgedRubric }) {
  const { id, expected, weight, isRequired, share, minimum, holds, reasoning, quotes } = rubric;
  return (
    <li class="stack gap-1 rubric">
      <div class="line rubric-line">
        <VerdictMark outcome={holds ? 'passed' : 'failed'} />
        <span class="rubric-name">
          <Text value={expected ?? id} />
          {expected !== undefined && expected !== id && (
            <span class="dim">
              {' '}
              <Text value={id} />
            </span>
          )}
        </span>
        {isRequired && <span class="tag">required</span>}
        {weight !== 1 && <span class="dim">× {weight}</span>}
        <span class="bold">{formatScore(share)}</span>
      </div>
      <ScoreBar score={share} least={minimum} isGood={holds} />
      {reasoning !== '' && <RichText className="rubric-reasons dim" value={reasoning} />}
      <QuoteList quotes={quotes} />
    </li>
  );
}
