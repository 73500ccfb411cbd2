import {
  AgentError,
  type Agent,
  type NowOrLater,
  type OpenOptions,
  type Replies,
  type Session,
} from '../../agents/contract.ts';
import type { AttemptTape, CassetteDeck } from '../../evidence/cassettes/cassette-deck.ts';
import { CassetteError } from '../../evidence/cassettes/cassette-error.ts';
import { joinDecisions } from '../../evidence/observe/before-call.ts';
import type { ObservationOptions } from '../../evidence/observe/observation.ts';
import type { FaultInjector } from '../../evidence/faults/fault-injector.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { Test } from '../../base/model/test.ts';
import type { TimeLimit } from './attempt-limit.ts';
import type { AttemptWorkspace } from './attempt-workspace.ts';
import type { Clock } from '../pool/clock.ts';
import type { WorkspaceHost } from '../../agents/workspace/workspace-host.ts';
import { driveAttempt } from './drive-attempt.ts';
import { joinLimits } from '../../base/model/limits.ts';
import { ApprovalGate } from './approval-gate.ts';
import { failWithoutFaults, faultObstacle } from './attempt-faults.ts';
import { FirstMove, firstMoveObstacle } from './first-move.ts';
import { LimitKeeper } from '../pool/limit-keeper.ts';
import { gradeStopped } from '../grade/grade-attempt.ts';
import type { Grader } from '../grade/grade.ts';
import type { EvaluationHost } from './metered-tools.ts';
import type { Preflight, PreflightHost, StoppedAssertion } from './preflight.ts';
import { Transcript } from './transcript.ts';

/** One planned execution of one test by one agent. */
export interface Attempt {
  /** `file::test::target::repeat`. */
  readonly id: string;
  readonly file: string;
  readonly test: Test;
  readonly target: string;
  /** Undefined: nobody is called, since the replies are known. */
  readonly agent?: Agent | undefined;
  /** Those that are known. */
  readonly replies?: Replies | undefined;
  /** Counts from 1. */
  readonly repeat: number;
  readonly fingerprint: string;
  /** Identifies the agent's settings and code, where somebody wants to know when they change. */
  readonly agentPrint?: string | undefined;
  /** Identifies the files that the agent may read while it runs. */
  readonly agentData?: string | undefined;
  /** Identifies the files that its checks may read. */
  readonly checkData?: string | undefined;
  /** The attempt whose replies are graded again; undefined if the agent is called. */
  readonly repliesOf?: Pick<AttemptRecord, 'started_at' | 'duration_ms'> | undefined;
  /** Its replies were recorded elsewhere. */
  readonly imported?: Pick<AttemptRecord, 'source' | 'foreign_scores'> | undefined;
}

export interface AttemptContext {
  readonly grader: Grader;
  /** Undefined: nobody chose one. */
  readonly threshold: number | undefined;
  /** Warnings about replies and evidence are errors. */
  readonly strict?: boolean | undefined;
  readonly clock: Clock;
  /** What evaluators of this suite may use of the outside world. */
  evaluationHost(place: EvaluationPlace, signal: AbortSignal): EvaluationHost;
  /** Undefined if no agent is called, so that nothing can be saved. */
  readonly preflight?: AttemptPreflight | undefined;
  /** Where model calls are recorded, or answered from. */
  readonly cassettes?: CassetteDeck | undefined;
  /** Undefined if no agent is called: then no test gets a workspace. */
  readonly workspaces?: Pick<WorkspaceHost, 'open'> | undefined;
}

export interface EvaluationPlace {
  readonly file: string;
  readonly target: string | undefined;
  /** Who decides about the model calls of judges. */
  readonly judgeCalls?: ObservationOptions | undefined;
}

/** Checks, before an agent is called, whether its reply could be evaluated. */
export interface AttemptPreflight {
  readonly checks: Preflight;
  host(place: { readonly file: string; readonly target: string | undefined }): PreflightHost;
}

export interface FinishedAttempt {
  readonly record: AttemptRecord;
  readonly findings: readonly Finding[];
  /** How long the agent wanted us to wait, if that is why it failed. */
  readonly retryAfterMs?: number | undefined;
  /** It says nothing about the attempt, which runs again. */
  readonly isBystander?: boolean | undefined;
  /** What was recorded of its model calls. */
  readonly tape?: AttemptTape | undefined;
}

export interface GradeHost {
  readonly context: AttemptContext;
  readonly limit: TimeLimit;
  /** Undefined: nothing goes wrong on purpose. */
  readonly faults?: FaultInjector | undefined;
}

/**
 * Grades the replies to the steps of a test, one after the other: those of an agent that is called now, of a recorded attempt, or
 * prepared ones. Each step starts from the memory that the previous one left.
 */
export async function grade(
  planned: Attempt,
  replies: Replies,
  { context, limit, faults }: GradeHost,
): Promise<FinishedAttempt> {
  const { clock } = context;
  const transcript = new Transcript(planned, planned.test.threshold ?? context.threshold);
  const tape = openTape(planned, context, transcript);
  const stopped =
    context.preflight?.checks.needsCheck(planned.test) === true
      ? await preflight(planned, context.preflight)
      : [];
  if (stopped.length > 0) gradeStopped(transcript, stopped);
  const workspace =
    planned.test.workspace === undefined || stopped.length > 0 || transcript.hasFailed
      ? undefined
      : await openWorkspace(planned, { context, transcript, signal: limit.signal });
  const attempt = workspace === undefined ? planned : { ...planned, test: workspace.test };
  let startedAt = clock.timestamp();
  let start = clock.now();
  const keeper = createKeeper(attempt);
  const isCalled = attempt.agent !== undefined && attempt.replies === undefined;
  const gate = isCalled ? new ApprovalGate(attempt, limit) : undefined;
  const firstMove = isCalled && attempt.test.stop_after !== undefined ? new FirstMove() : undefined;
  const first = joinDecisions([firstMove?.beforeCall, keeper?.beforeCall]);
  const options = {
    // Waiting for other attempts says nothing about how long this one takes.
    onTurn: () => {
      startedAt = clock.timestamp();
      start = clock.now();
    },
    // A call that is refused meets no fault, and one that meets a fault is not recorded.
    beforeCall:
      tape === undefined && faults === undefined
        ? first
        : joinDecisions([
            first,
            faults === undefined ? tape?.beforeAgentCall : faults.around(tape?.beforeAgentCall),
          ]),
    takesAllRequests: tape !== undefined,
    isOffline: tape?.isOffline,
    offline: tape?.offline,
    workspace: workspace?.agent,
    onLost: tape?.loseCall,
    ...(gate !== undefined && { approve: gate.approve }),
    ...(firstMove !== undefined && { stopAfterFirstCall: true }),
    ...(faults !== undefined && { changedOutput: (index: number) => faults.changedOutput(index) }),
  };
  const opening =
    stopped.length > 0 || transcript.hasFailed ? undefined : openSession(replies, options, transcript);
  const session = opening instanceof Promise ? await opening : opening;
  if (session !== undefined) {
    limit.start();
    try {
      const obstacle =
        (faults === undefined ? undefined : faultObstacle(attempt)) ??
        (firstMove === undefined ? undefined : firstMoveObstacle(attempt));
      if (obstacle === undefined)
        await driveAttempt({
          attempt,
          context,
          session,
          limit,
          transcript,
          keeper,
          tape,
          faults,
          gate,
          firstMove,
          workspace,
        });
      else transcript.fail(obstacle);
      if (faults !== undefined) failWithoutFaults(faults, transcript);
    } finally {
      gate?.close();
      workspace?.resume();
      const closing = closeSession(session);
      if (closing instanceof Promise) await closing;
    }
  }
  const durationMs = clock.now() - start;
  limit.end();
  if (workspace !== undefined) await finishWorkspace(workspace, transcript, context);
  return {
    record: transcript.toRecord(startedAt, durationMs),
    findings: transcript.findings,
    retryAfterMs: transcript.retryAfterMs,
    isBystander: transcript.isBystander,
    tape,
  };
}

/** Loaded on first use: few tests have one. */
async function openWorkspace(
  attempt: Attempt,
  opening: {
    readonly context: AttemptContext;
    readonly transcript: Transcript;
    readonly signal: AbortSignal;
  },
): Promise<AttemptWorkspace | undefined> {
  const { openForAttempt } = await import('./attempt-workspace.ts');
  return openForAttempt(attempt, opening);
}

/** What it did in its workspace is recorded, whatever came of it. */
async function finishWorkspace(
  workspace: AttemptWorkspace,
  transcript: Transcript,
  { strict }: AttemptContext,
): Promise<void> {
  const { verdict } = transcript.toRecord('', 0);
  const { record, warnings } = await workspace.finish(verdict !== 'passed');
  transcript.workspace = record;
  transcript.warnAboutWorkspace(warnings, strict === true);
}

/** A cassette that cannot be used fails the attempt before its agent is called. */
function openTape(
  { file, test, target, repeat }: Attempt,
  { cassettes }: AttemptContext,
  transcript: Transcript,
): AttemptTape | undefined {
  try {
    return cassettes?.open({ file, test: test.id, target, repeat });
  } catch (error) {
    if (!(error instanceof CassetteError)) throw error;
    transcript.fail(new AgentError('cassette', error.message));
    return undefined;
  }
}

function createKeeper({ test, agent }: Attempt): LimitKeeper | undefined {
  if (test.limits === undefined && agent?.limits === undefined) return undefined;
  const limits = joinLimits([test.limits, agent?.limits]);
  return limits === undefined ? undefined : new LimitKeeper({ limits, costOf: agent?.costOf });
}

async function preflight(
  { test, file, target }: Attempt,
  { checks, host }: AttemptPreflight,
): Promise<readonly StoppedAssertion[]> {
  return checks.check(test, host({ file, target }));
}

/** What an agent does after its last reply is not part of the test. */
function closeSession(session: Session): NowOrLater<void> {
  try {
    const closing = session.close();
    // The agent itself is closed when the run ends.
    return closing instanceof Promise ? closing.catch(() => {}) : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined if it could not be opened; the failure is then recorded. */
function openSession(
  replies: Replies,
  options: OpenOptions,
  transcript: Transcript,
): NowOrLater<Session | undefined> {
  const onError = (error: unknown): undefined => {
    transcript.fail(error);
  };
  const orFail = (session: Session | undefined): Session | undefined =>
    session ?? onError(new Error('the agent opened no session'));
  try {
    const opening = replies(options);
    return opening instanceof Promise ? opening.then(orFail, onError) : orFail(opening);
  } catch (error) {
    return onError(error);
  }
}
