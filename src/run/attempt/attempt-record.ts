import { plainFaults } from '../../base/model/fault.ts';
import type { Place } from '../../base/model/place.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { Attempt } from './attempt.ts';

/** What came of an attempt. */
type Outcome = Omit<
  AttemptRecord,
  | 'id'
  | 'file'
  | 'line'
  | 'column'
  | 'test'
  | 'row'
  | 'has_vars'
  | 'description'
  | 'tags'
  | 'metadata'
  | 'target'
  | 'repeat'
  | 'pass_at_least'
  | 'faults'
  | 'fingerprint'
  | 'agent_print'
  | 'agent_data'
  | 'check_data'
  | 'regraded'
  | 'source'
  | 'foreign_scores'
>;

/** Nobody can forget a field here, not even one that may be absent. */
type EveryField = { readonly [K in keyof Required<AttemptRecord>]: AttemptRecord[K] };

/** Every field by its name: an object made of others is several times as slow to make and to print. */
export function attemptRecord(attempt: Attempt, outcome: Outcome): AttemptRecord {
  const { test } = attempt;
  const record: EveryField = {
    id: attempt.id,
    file: attempt.file,
    line: test.place.line,
    column: test.place.column,
    test: test.id,
    row: test.row && placeOf(test.row),
    has_vars: test.vars === undefined ? undefined : true,
    description: test.description,
    tags: test.tags,
    metadata: test.metadata,
    target: attempt.target,
    repeat: attempt.repeat,
    pass_at_least: test.pass_at_least,
    faults: test.faults === undefined || test.faults.length === 0 ? undefined : plainFaults(test.faults),
    fingerprint: attempt.fingerprint,
    agent_print: attempt.agentPrint,
    agent_data: attempt.agentData,
    check_data: attempt.checkData,
    regraded: attempt.repliesOf === undefined ? undefined : true,
    verdict: outcome.verdict,
    score: outcome.score,
    threshold: outcome.threshold,
    error: outcome.error,
    skip_reason: outcome.skip_reason,
    source: attempt.imported?.source,
    foreign_scores: attempt.imported?.foreign_scores,
    steps: outcome.steps,
    assertions: outcome.assertions,
    retries: outcome.retries,
    retries_token_usage: outcome.retries_token_usage,
    retries_cost_usd: outcome.retries_cost_usd,
    workspace: outcome.workspace,
    findings: outcome.findings,
    token_usage: outcome.token_usage,
    cost_usd: outcome.cost_usd,
    judge_calls: outcome.judge_calls,
    judge_token_usage: outcome.judge_token_usage,
    judge_cost_usd: outcome.judge_cost_usd,
    // They tell about the replies.
    started_at: attempt.repliesOf?.started_at ?? outcome.started_at,
    duration_ms: attempt.repliesOf === undefined ? outcome.duration_ms : attempt.repliesOf.duration_ms,
  };
  return record;
}

function placeOf({ file, line, column }: Place): Place {
  return { file, line, column };
}
