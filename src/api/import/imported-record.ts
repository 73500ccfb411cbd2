import type { JsonObject } from '../../base/model/json.ts';
import type { Message } from '../../base/model/message.ts';
import type { AttemptRecord, StepRecord } from '../../base/model/record.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Doubt, EvidenceSources, TraceGap } from '../../base/model/reply.ts';
import { attemptId, testKey } from '../../base/model/test-key.ts';
import { addAll, addUsage } from '../../base/model/usage.ts';
import { hashHex } from '../../base/match/hash-text.ts';
import type { Recording, RecordedTurn } from '../../evidence/recordings/recording.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';

interface ImportedFrom {
  /** As records name it. */
  readonly file: string;
  readonly format: string;
  readonly repeat: number;
  readonly importedAt: string;
}

/** An attempt of an agent that Assay did not run. It has no verdict yet. */
export function importedRecord(
  recording: Recording,
  { file, format, repeat, importedAt }: ImportedFrom,
): AttemptRecord {
  const { id: test, target, line, turns: told, failure } = recording;
  const [only] = told;
  const turns = told.length === 1 && only !== undefined ? [withWhole(only, recording)] : told;
  const steps = turns.map((turn, index) => toStep(turn, index === turns.length - 1 ? failure : undefined));
  const started = turns.find(({ start_ms }) => start_ms !== undefined)?.start_ms;
  const token_usage = recording.token_usage ?? addUsage(steps.map((step) => step.token_usage));
  const cost_usd = recording.cost_usd ?? addAll(steps.map((step) => step.cost_usd));
  const findings = turns.flatMap((turn) =>
    (turn.warnings ?? []).map((warning) => warningAt(file, turn.line, warning)),
  );
  return {
    id: attemptId(testKey({ file, test, target }), repeat),
    file,
    line,
    column: 1,
    test,
    ...(recording.description === undefined ? {} : { description: recording.description }),
    tags: [],
    ...(recording.metadata === undefined ? {} : { metadata: recording.metadata }),
    target,
    repeat,
    fingerprint: hashHex(JSON.stringify([format, test, target, turns.map(({ input }) => input)])),
    verdict: 'not_graded',
    source: { format },
    ...(recording.scores === undefined ? {} : { foreign_scores: recording.scores }),
    steps,
    assertions: [],
    ...(findings.length === 0 ? {} : { findings }),
    retries: 0,
    ...(token_usage === undefined ? {} : { token_usage }),
    ...(cost_usd === undefined ? {} : { cost_usd }),
    started_at: started === undefined ? importedAt : new Date(started).toISOString(),
    duration_ms: recording.duration_ms ?? addAll(steps.map(({ duration_ms }) => duration_ms)),
  };
}

/** What a source tells of the whole conversation, it tells of its only turn. */
function withWhole(turn: RecordedTurn, { token_usage, cost_usd, duration_ms }: Recording): RecordedTurn {
  return {
    ...turn,
    token_usage: turn.token_usage ?? token_usage,
    cost_usd: turn.cost_usd ?? cost_usd,
    duration_ms: turn.duration_ms ?? duration_ms,
  };
}

function warningAt(file: string, line: number, warning: Pick<Finding, 'code' | 'message' | 'hint'>): Finding {
  return { ...fileFinding(file, warning.code, warning.message, warning.hint), line, severity: 'warning' };
}

function toStep(turn: RecordedTurn, failure: string | undefined): StepRecord {
  const { input, line, output = '', tool_calls, messages, token_usage, cost_usd } = turn;
  const input_messages: readonly Message[] = [{ role: 'user', content: input }];
  const isFailed = failure !== undefined && output === '';
  const doubts = [
    ...(turn.output === undefined && !isFailed ? [NO_OUTPUT] : []),
    ...(turn.duration_ms === undefined && !isFailed ? [NO_DURATION] : []),
  ];
  const step: StepRecord = {
    line,
    input,
    input_messages,
    ...(isFailed ? {} : { output }),
    ...(doubts.length === 0 ? {} : { doubts }),
    ...(tool_calls === undefined ? {} : { tools_used: tool_calls.map(({ tool }) => tool), tool_calls }),
    ...gapOf(turn),
    ...(messages === undefined ? {} : { output_messages: messages }),
    memory_before: {} satisfies JsonObject,
    assertions: [],
    ...(failure === undefined ? {} : { error: { kind: 'agent', message: failure } }),
    evidence: sourcesOf(turn),
    models: turn.models,
    model_calls: turn.model_calls,
    token_usage,
    ...(turn.usage_complete === false ? { usage_complete: false } : {}),
    cost_usd,
    timeline: turn.timeline,
    time_to_first_token_ms: turn.time_to_first_token_ms,
    duration_ms: turn.duration_ms,
  };
  return step;
}

const NO_OUTPUT: Doubt = {
  about: 'output',
  message: 'the recording does not tell what the agent answered',
};

const NO_DURATION: Doubt = {
  about: 'duration',
  message: 'the recording does not tell how long the agent took',
};

/** What a recording does not tell is unknown, not nothing. */
function gapOf({ gap, tool_calls }: RecordedTurn): { readonly trace_gap?: TraceGap } {
  if (gap !== undefined) return { trace_gap: { kind: 'incomplete', ...gap } };
  return tool_calls === undefined ? { trace_gap: { kind: 'missing' } } : {};
}

function sourcesOf({ output, tool_calls, messages, token_usage, cost_usd }: RecordedTurn): EvidenceSources {
  return {
    ...(output === undefined ? {} : { output: 'recognised' }),
    ...(tool_calls === undefined ? {} : { tool_calls: 'recognised' }),
    ...(messages === undefined ? {} : { output_messages: 'recognised' }),
    ...(token_usage === undefined ? {} : { token_usage: 'recognised' }),
    ...(cost_usd === undefined ? {} : { cost_usd: 'recognised' }),
  };
}
