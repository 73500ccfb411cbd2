import { randomUUID } from 'node:crypto';
import { AgentError, BystanderError } from '../../agents/contract.ts';
import type { ReplyWarning } from '../../evidence/reply/reply-warning.ts';
import type { SeenCalls } from '../../evidence/observe/observation.ts';
import type { Trace, TraceProblem } from '../../evidence/trace.ts';
import { createWireTracer, type WireTracer } from '../../evidence/wire/trace-of-exchanges.ts';
import type { AgentRequest } from '../../base/model/reply.ts';
import type { Evidence } from '../../base/model/evidence.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { JsonObject } from '../../base/model/json.ts';
import type { WorkspaceRecord } from '../../base/model/workspace.ts';
import type { Message } from '../../base/model/message.ts';
import { ofRow } from '../../base/model/row-finding.ts';
import type { RefusedStatus } from '../../base/model/refused-status.ts';
import { DEFAULT_THRESHOLD } from '../../base/model/threshold.ts';
import type { AttemptRecord, RecordedError } from '../../base/model/record.ts';
import type { Step } from '../../base/model/test.ts';
import { addAll, addUsage } from '../../base/model/usage.ts';
import { attemptRecord } from './attempt-record.ts';
import type { Attempt } from './attempt.ts';
import { roundMs } from '../pool/clock.ts';
import { strictProblem } from '../grade/grade.ts';
import { judgeSpending } from '../grade/judge-spending.ts';
import { answeredStep, unansweredStep, type GradedStep, type SentStep } from './step-record.ts';
import { judge, type GradedAssertion } from '../verdicts/verdict.ts';

/** What has happened in an attempt so far, and the record made from it. */
export class Transcript {
  readonly threshold: number;
  readonly isThresholdChosen: boolean;
  readonly findings: Finding[] = [];
  /** For the steps that got a reply. */
  readonly evidence: Evidence[] = [];
  /** Of this try. */
  readonly conversationId = randomUUID();
  /** What was said in the steps that were answered. */
  readonly conversation: Message[] = [];
  /** What the last reply left. */
  memory: JsonObject;
  retryAfterMs: number | undefined;
  /** What was done in its workspace. */
  workspace: WorkspaceRecord | undefined;
  /** It ended because of something else in the process of its agent. */
  isBystander = false;
  private readonly attempt: Attempt;
  private readonly steps: GradedStep[] = [];
  private wholeTest: readonly GradedAssertion[] = [];
  private error: RecordedError | undefined;
  private warned: Set<string> | undefined;
  private tracer: WireTracer | undefined;

  constructor(attempt: Attempt, threshold: number | undefined) {
    this.attempt = attempt;
    this.threshold = threshold ?? DEFAULT_THRESHOLD;
    this.isThresholdChosen = threshold !== undefined;
    this.memory = attempt.test.memory ?? {};
  }

  get hasFailed(): boolean {
    return this.error !== undefined;
  }

  /** The number of the next step, from 1 on. */
  get nextStep(): number {
    return this.steps.length + 1;
  }

  /** What the model calls of a step show, once its answer is known. Undefined: none was seen. */
  observer(
    seen: SeenCalls | undefined,
    { input, step, startMs }: Pick<AgentRequest, 'input' | 'step'> & Pick<SentStep, 'startMs'>,
  ): ((output: string | undefined) => Trace) | undefined {
    if (seen === undefined) return undefined;
    if (seen.exchanges.length === 0 && seen.unattributed === 0 && seen.unread.length === 0) return undefined;
    const { hidden, harmless } = seen;
    const answerTools = this.attempt.agent?.answerTools;
    const tracer = (this.tracer ??= createWireTracer());
    for (const exchange of seen.exchanges) tracer.add(exchange);
    return (output) => {
      const trace = {
        ...tracer.traceOf(step, { input, output, startMs, answerTools }),
        ...(harmless.length === 0 ? {} : { harmless }),
      };
      const isUnattributed = seen.unattributed > 0;
      if (!isUnattributed && seen.unread.length === 0 && hidden.length === 0) return trace;
      // What nobody could read, or whose nobody knows, was paid for too.
      return {
        ...trace,
        unread: seen.unread,
        ...(hidden.length === 0 ? {} : { hidden: [hiddenWork(hidden), ...(trace.hidden ?? [])] }),
        is_unattributed: isUnattributed,
        usage_complete: false,
      };
    };
  }

  /** The agent failed, or its time is over. */
  fail(error: unknown): void {
    this.error = toRecordedError(error);
    if (error instanceof AgentError) this.retryAfterMs = error.retryAfterMs;
    if (error instanceof BystanderError) this.isBystander = true;
  }

  /** The same, while a step waited for its reply. */
  failStep(sent: SentStep, error: unknown): void {
    this.fail(error);
    const step = unansweredStep(sent, this.error);
    this.steps.push(this.attempt.imported === undefined ? step : { ...step, duration_ms: undefined });
  }

  /** The reply breaks the contract. */
  refuseReply(sent: SentStep, message: string): void {
    this.error = { kind: 'contract', message };
    this.steps.push(unansweredStep(sent, this.error));
  }

  /** Whether the step failed because the model API of the agent refused the key. */
  blameKey(refused_status: RefusedStatus | undefined): void {
    if (this.error !== undefined) this.error = { ...this.error, refused_status };
  }

  addStep(sent: SentStep, evidence: Evidence, assertions: readonly GradedAssertion[]): void {
    this.steps.push(answeredStep(sent, evidence, assertions));
    // Only what was said: agents pass this on to model APIs and frameworks, each of which writes tool calls its own way.
    this.conversation.push(...evidence.input_messages, { role: 'assistant', content: evidence.reply.output });
  }

  addWholeTest(assertions: readonly GradedAssertion[]): void {
    this.wholeTest = assertions;
  }

  /** An agent that does not report something does so in every step: once per test is enough. */
  find(findings: readonly Finding[]): void {
    for (const finding of findings)
      if (finding.code !== 'no_trace' || this.isFirst(finding.code)) this.add(finding);
  }

  /** An agent behaves the same way in every step: once per test is enough. */
  warnOnce(step: Step, warning: ReplyWarning): void {
    if (!this.isFirst(warning.code)) return;
    this.add({
      severity: 'warning',
      ...warning,
      // Fields by name: places may be looked up when they are read, so there is nothing to spread.
      file: step.place.file,
      line: step.place.line,
      column: step.place.column,
      path: `steps[${this.steps.length}]`,
    });
  }

  /** Its place is that of the workspace in the suite. */
  warnAboutWorkspace(warnings: readonly ReplyWarning[], isStrict: boolean): void {
    const { place } = this.attempt.test.workspace!;
    for (const warning of warnings) {
      const { file, line, column } = place;
      const finding = { severity: 'warning' as const, ...warning, file, line, column, path: 'workspace' };
      if (this.findings.some(({ code, message }) => code === finding.code && message === finding.message))
        continue;
      this.add(finding);
      if (isStrict && !this.hasFailed) this.fail(new AgentError('workspace', strictProblem(warning)));
    }
  }

  toRecord(startedAt: string, durationMs: number): AttemptRecord {
    const groups = [...this.steps.map(({ assertions }) => assertions), this.wholeTest];
    const { verdict, score, error } = judge(groups, { threshold: this.threshold, error: this.error });
    const isKnown =
      this.evidence.length === this.attempt.test.steps.length || this.steps.at(-1)?.model_calls !== undefined;
    const judges = judgeSpending(groups);
    return attemptRecord(this.attempt, {
      verdict,
      score,
      threshold: groups.some(hasEvaluator) ? this.threshold : undefined,
      error,
      steps: this.steps,
      assertions: this.wholeTest,
      retries: 0,
      workspace: this.workspace,
      findings: this.findings.length === 0 ? undefined : this.findings,
      // The cost of an attempt is known only if every step got a reply, or the model calls of the failed step were observed.
      token_usage: isKnown ? addUsage(this.steps.map(({ token_usage }) => token_usage)) : undefined,
      cost_usd: isKnown ? addAll(this.steps.map(({ cost_usd }) => cost_usd)) : undefined,
      judge_calls: judges?.judge_calls,
      judge_token_usage: judges?.judge_token_usage,
      judge_cost_usd: judges?.judge_cost_usd,
      started_at: startedAt,
      duration_ms: roundMs(durationMs),
    });
  }

  private add(finding: Finding): void {
    this.findings.push(ofRow(finding, this.attempt.test.row));
  }

  private isFirst(code: string): boolean {
    this.warned ??= new Set();
    return this.warned.size < this.warned.add(code).size;
  }
}

function hiddenWork(names: readonly string[]): TraceProblem {
  return {
    at: names.join(', '),
    form: `Assay does not see what the agent does there (if it is neither a model nor a tool: \`observe: { harmless: [${names.join(', ')}] }\`)`,
  };
}

function hasEvaluator(assertions: readonly GradedAssertion[]): boolean {
  return assertions.some(({ form }) => form === 'evaluator');
}

function toRecordedError(error: unknown): RecordedError {
  if (error instanceof AgentError) {
    const { kind, message, refusedStatus: refused_status } = error;
    return refused_status === undefined ? { kind, message } : { kind, message, refused_status };
  }
  return { kind: 'agent', message: error instanceof Error ? error.message : String(error) };
}
