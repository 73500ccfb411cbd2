import type { Assertion } from '../../base/model/assertion.ts';
import type {
  AssertionOutcome,
  Evidence,
  ExplainedOutcome,
  OutcomeWarning,
} from '../../base/model/evidence.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { RefusedStatus } from '../../base/model/refused-status.ts';
import type { Unfinished } from '../../base/model/reply.ts';
import type { ReplyPart } from '../../base/model/reply-requirements.ts';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import { explainOutcome, type Redact } from '../verdicts/explain-outcome.ts';
import {
  describeOtherCalls,
  hasOtherCalls,
  hasPartialTrace,
  isWorse,
  withObservedCalls,
} from './unreported-calls.ts';
import { MeteredTools, type EvaluationHost } from '../attempt/metered-tools.ts';
import { doesHold, type GradedAssertion } from '../verdicts/verdict.ts';

export interface Graded {
  readonly assertions: readonly GradedAssertion[];
  /** Warnings that only a run can give. */
  readonly findings: readonly Finding[];
}

/** What the mean of the evaluators must reach. */
export interface TestThreshold {
  readonly threshold: number;
  /** Somebody set it: for the test, the file or the run. */
  readonly isThresholdChosen: boolean;
}

export interface GradeContext extends TestThreshold {
  readonly evaluationHost: EvaluationHost;
  /** Warnings about the evidence are errors. */
  readonly strict?: boolean | undefined;
}

/** Evaluates assertions on evidence. Each kind of assertion defines its own meaning. */
export class Grader {
  private readonly kinds: AssertionKinds;
  private readonly redact: Redact;

  constructor(kinds: AssertionKinds, redact: Redact = (value) => value) {
    this.kinds = kinds;
    this.redact = redact;
  }

  /** Whether one of them makes a claim about a part of the reply. */
  readsPart(assertions: readonly Assertion[], part: ReplyPart): boolean {
    return assertions.some((assertion) => this.kinds.reads(assertion, part));
  }

  /** Most assertions return at once; a promise is created only if one of them needs time. */
  grade(
    assertions: readonly Assertion[],
    evidence: Evidence,
    context: GradeContext,
  ): Graded | Promise<Graded> {
    const { evaluationHost } = context;
    const evaluateAll = this.evaluatorOf(evidence);
    const tools: MeteredTools[] = [];
    const outcomes: (ExplainedOutcome | Promise<ExplainedOutcome>)[] = [];
    let isWaiting = false;
    for (const assertion of assertions) {
      const own = new MeteredTools(evaluationHost, evaluateAll);
      const outcome = this.evaluate(assertion, evidence, own);
      tools.push(own);
      outcomes.push(outcome);
      isWaiting ||= outcome instanceof Promise;
    }
    return isWaiting
      ? Promise.all(outcomes).then((settled) => collect(assertions, settled, { context, tools }))
      : collect(assertions, outcomes as ExplainedOutcome[], { context, tools });
  }

  private evaluate(
    assertion: Assertion,
    evidence: Evidence,
    tools: MeteredTools,
  ): ExplainedOutcome | Promise<ExplainedOutcome> {
    const outcome = this.measure(assertion, evidence, tools);
    const { redact } = this;
    const { negate } = assertion;
    return outcome instanceof Promise
      ? outcome.then((measured) => explainOutcome(measured, { negate, redact }))
      : explainOutcome(outcome, { negate, redact });
  }

  private measure(
    assertion: Assertion,
    evidence: Evidence,
    tools: MeteredTools,
  ): AssertionOutcome | Promise<AssertionOutcome> {
    const kind = this.kinds.of(assertion);
    if (kind === undefined)
      return failed(assertion, new Error(`unknown ${assertion.form} \`${assertion.kind}\``));
    const { unfinished } = evidence.reply;
    if (
      unfinished !== undefined &&
      kind.nests === undefined &&
      !isReached(kind.reads(assertion.parameters), unfinished)
    )
      return { error: { kind: 'assertion', message: NOT_REACHED[unfinished] } };
    try {
      if (kind.standsWithMoreCalls !== undefined && hasPartialTrace(evidence))
        return this.decideEarly(assertion, evidence, tools).catch((error: unknown) =>
          failed(assertion, error),
        );
      const unknown = evidence.reply.doubts?.find(({ about }) => about === 'output');
      if (unknown !== undefined && this.kinds.reads(assertion, 'output'))
        return { error: { kind: 'assertion', message: unknown.message } };
      const outcome = kind.evaluate(assertion.parameters, evidence, tools);
      if (hasOtherCalls(evidence.reply) && this.kinds.reads(assertion, 'tools'))
        return this.confirm(assertion, { outcome, evidence, tools });
      return outcome instanceof Promise
        ? outcome.catch((error: unknown) => failed(assertion, error))
        : outcome;
    } catch (error) {
      return failed(assertion, error);
    }
  }

  /** Some calls are known and others may be missing: only what no other call can change was measured. */
  private async decideEarly(
    assertion: Assertion,
    evidence: Evidence,
    tools: MeteredTools,
  ): Promise<AssertionOutcome> {
    const kind = this.kinds.of(assertion)!;
    const known = { ...evidence, reply: { ...evidence.reply, trace_gap: undefined } };
    const outcome = await kind.evaluate(assertion.parameters, known, tools);
    const isCertain =
      'score' in outcome && kind.standsWithMoreCalls!(assertion.parameters, { outcome, evidence: known });
    return isCertain ? outcome : await kind.evaluate(assertion.parameters, evidence, tools);
  }

  /** The agent reports other calls than were observed: a claim that holds only in its report was not measured. */
  private async confirm(
    assertion: Assertion,
    { outcome, evidence, tools }: Evaluated,
  ): Promise<AssertionOutcome> {
    try {
      const all = withObservedCalls(evidence);
      const [reported, complete] = await Promise.all([
        outcome,
        this.kinds.of(assertion)!.evaluate(assertion.parameters, all, tools),
      ]);
      if ('error' in reported) return reported;
      return 'error' in complete || isWorse(complete.score, reported.score, assertion)
        ? { error: { kind: 'assertion', message: describeOtherCalls(evidence) } }
        : reported;
    } catch (error) {
      return failed(assertion, error);
    }
  }

  /** For assertions that hold others. */
  private evaluatorOf(evidence: Evidence): ConstructorParameters<typeof MeteredTools>[1] {
    return (assertions, outer) =>
      Promise.all(
        assertions.map(async (assertion) => {
          const tools = new MeteredTools(outer, this.evaluatorOf(evidence));
          return { assertion, outcome: await this.evaluate(assertion, evidence, tools) };
        }),
      );
  }
}

/** Whether what an assertion reads is known of a step that has no answer. A judge reads all of it. */
function isReached(parts: readonly ReplyPart[], unfinished: Unfinished): boolean {
  return parts.length > 0 && parts.every((part) => KNOWN[unfinished].includes(part));
}

const KNOWN: Readonly<Record<Unfinished, readonly ReplyPart[]>> = {
  waiting: ['approvals'],
  first_tool_call: ['tools', 'approvals'],
};

const NOT_REACHED: Readonly<Record<Unfinished, string>> = {
  waiting:
    'not reached: the agent waits for an answer, so the step has no output and no complete list of tool calls\nmove this to the step that answers, and keep claims about `approvals_asked` here',
  first_tool_call:
    'not reached: `stop_after` ended the attempt at the first tool call, so only claims about tools can be checked\nremove this claim, or `stop_after`',
};

interface Evaluated {
  readonly outcome: AssertionOutcome | Promise<AssertionOutcome>;
  readonly evidence: Evidence;
  readonly tools: MeteredTools;
}

/** An assertion that throws could not be measured: that is an error, never a 0. */
function failed({ name }: Assertion, error: unknown): AssertionOutcome {
  const message = error instanceof Error ? error.message : String(error);
  return { error: { kind: 'assertion', message: `${name} could not be evaluated: ${message}` } };
}

interface Collecting {
  readonly context: TestThreshold & Pick<GradeContext, 'strict'>;
  readonly tools: readonly MeteredTools[];
}

function collect(
  assertions: readonly Assertion[],
  outcomes: readonly ExplainedOutcome[],
  { context, tools }: Collecting,
): Graded {
  const findings: Finding[] = [];
  const all = assertions.map((assertion, index) => {
    const outcome = context.strict === true ? refuseIncompleteEvidence(outcomes[index]!) : outcomes[index]!;
    if ('warnings' in outcome)
      for (const warning of outcome.warnings ?? []) findings.push(warningAt(assertion, warning));
    const { refusedStatus } = tools[index]!;
    const graded = toGraded(assertion, withRefusal(outcome, refusedStatus), context);
    const use = tools[index]!.use();
    return use === undefined ? graded : { ...graded, ...use };
  });
  return { assertions: all, findings };
}

function withRefusal(outcome: ExplainedOutcome, refused_status: RefusedStatus | undefined): ExplainedOutcome {
  if (refused_status === undefined || !('error' in outcome)) return outcome;
  return { ...outcome, error: { ...outcome.error, refused_status } };
}

/** For `--strict`: a result based on incomplete evidence does not count as measured. */
function refuseIncompleteEvidence(outcome: ExplainedOutcome): ExplainedOutcome {
  if ('error' in outcome) return outcome;
  const warning = outcome.warnings?.find(({ isAboutEvidence }) => isAboutEvidence === true);
  if (warning === undefined) return outcome;
  return { error: { kind: 'assertion', message: strictProblem(warning) } };
}

/** A warning turned into an error. */
export function strictProblem({ code, message, hint }: Pick<Finding, 'code' | 'message' | 'hint'>): string {
  const problem = `${message} (${code}, an error with --strict)`;
  return hint === undefined ? problem : `${problem}\n${hint}`;
}

export function toGraded(
  assertion: Assertion,
  outcome: ExplainedOutcome,
  { threshold, isThresholdChosen }: TestThreshold,
): GradedAssertion {
  const { form, kind, name, weight, negate, place } = assertion;
  const required = assertion.needsFullScore === true && !isThresholdChosen ? 1 : assertion.required;
  const { file, line, column } = place;
  if ('error' in outcome) {
    const { error } = outcome;
    const yields = assertion.parameters['yields'] === true ? { yields: true as const } : {};
    return {
      form,
      kind,
      name,
      weight,
      required,
      message: error.message,
      error,
      ...yields,
      file,
      line,
      column,
    };
  }
  const { expected, actual, message, hits, misses, details } = outcome;
  const score = negate ? 1 - outcome.score : outcome.score;
  const isVeto = outcome.isVeto === true;
  const passed = !isVeto && doesHold({ form, required }, score, threshold);
  return {
    form,
    kind,
    name,
    weight,
    required: isVeto && required === false ? true : required,
    score,
    passed,
    expected,
    actual,
    message,
    hits,
    misses,
    details,
    file,
    line,
    column,
  };
}

function warningAt({ place, name }: Assertion, { code, message, hint }: OutcomeWarning): Finding {
  return {
    severity: 'warning',
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    file: place.file,
    line: place.line,
    column: place.column,
    path: name,
  };
}
