import {
  AgentError,
  BystanderError,
  type Agent,
  type RawReply,
  type NowOrLater,
  type Session,
} from '../../agents/contract.ts';
import type { AttemptTape } from '../../evidence/cassettes/cassette-deck.ts';
import { pendingApproval, unansweredApproval } from '../../evidence/reply/pending-approval.ts';
import { readEvidence, readUnanswered } from '../../evidence/reply/read-evidence.ts';
import { doubtError, type ReplyWarning } from '../../evidence/reply/reply-warning.ts';
import type { SeenCalls } from '../../evidence/observe/observation.ts';
import type { FaultInjector } from '../../evidence/faults/fault-injector.ts';
import { joinOtherCalls } from '../../base/model/other-calls.ts';
import type { Reply } from '../../base/model/reply.ts';
import { refusedStatus } from '../../base/model/refused-status.ts';
import type { Step } from '../../base/model/test.ts';
import type { Attempt, AttemptContext } from './attempt.ts';
import type { TimeLimit } from './attempt-limit.ts';
import type { ApprovalGate } from './approval-gate.ts';
import { blameAgent } from './attempt-faults.ts';
import { roundMs } from '../pool/clock.ts';
import { doubtDuration, durationWarning, withDoubt } from '../grade/duration-doubt.ts';
import { emptyAnswerWarning } from '../grade/empty-answer-warning.ts';
import { gradeReply, gradeTest } from '../grade/grade-attempt.ts';
import { strictProblem } from '../grade/grade.ts';
import type { EvaluationHost } from './metered-tools.ts';
import type { LimitKeeper } from '../pool/limit-keeper.ts';
import { memoryWarning } from '../grade/memory-warning.ts';
import { createRequest } from '../plan/request.ts';
import type { FirstMove } from './first-move.ts';
import { lateCall } from './late-call.ts';
import { readsPart, readsTools } from '../grade/reads-tools.ts';
import type { SentStep } from './step-record.ts';
import type { Transcript } from './transcript.ts';
import type { AttemptWorkspace } from './attempt-workspace.ts';

/** An attempt whose agent is ready. */
export interface OpenAttempt {
  readonly attempt: Attempt;
  readonly context: AttemptContext;
  readonly session: Session;
  readonly limit: TimeLimit;
  readonly transcript: Transcript;
  /** Created for the first reply. */
  evaluationHost?: EvaluationHost | undefined;
  /** Undefined: the attempt has no limits but its time. */
  readonly keeper: LimitKeeper | undefined;
  /** Undefined: its model calls are neither recorded nor replayed. */
  readonly tape: AttemptTape | undefined;
  /** Undefined: nothing goes wrong on purpose. */
  readonly faults: FaultInjector | undefined;
  /** Undefined: the test has none. */
  readonly workspace: AttemptWorkspace | undefined;
  /** Undefined: no agent is called. */
  readonly gate: ApprovalGate | undefined;
  /** Undefined: the attempt goes on after the first tool call. */
  readonly firstMove: FirstMove | undefined;
}

/** Sends the steps one by one. A failed step does not stop the next one; a failed agent does. */
export async function driveAttempt(open: OpenAttempt): Promise<void> {
  const { attempt, transcript } = open;
  for (const step of attempt.test.steps) {
    const sent = sendStep(open, step);
    if (sent instanceof Promise) await sent;
    if (transcript.hasFailed || isTooLate(open)) return;
  }
  if (attempt.test.assertions.length === 0) return;
  await gradeTest(open);
  isTooLate(open);
}

/** The result of an evaluator after the time limit is shown, but decides nothing. */
function isTooLate({ limit, transcript }: OpenAttempt): boolean {
  const reason = limit.reasonToEnd('verdict');
  if (reason !== undefined) transcript.fail(reason);
  return reason !== undefined;
}

/** Agents in this process and most assertions return at once: no promise is created for them. */
function sendStep(open: OpenAttempt, step: Step): NowOrLater<void> {
  const { transcript, limit, session } = open;
  const { test, file, repeat, agent } = open.attempt;
  const { clock } = open.context;
  const request = createRequest({
    input_messages: step.input_messages,
    before: transcript.conversation,
    conversation_id: transcript.conversationId,
    memory: transcript.memory,
    settings: agent?.settings,
    workspace: open.workspace?.folder,
    test: { id: test.id, file },
    step: transcript.nextStep,
    attempt: repeat,
  });
  limit.waitFor('reply');
  open.workspace?.resume();
  const start = clock.now();
  const sent = ({ printed, observed }: Ending, tookMs = clock.now() - start): SentStep => ({
    step,
    request,
    printed: printed || undefined,
    otherCalls: pricedCalls(observed, agent),
    durationMs: roundMs(tookMs),
    startMs: (open.tape?.replayedMs(request.step) ?? 0) > 0 ? undefined : start,
  });
  const onEnd = (reason: unknown, ending: Ending): void => {
    const { observed } = ending;
    const asked = open.gate?.take() ?? [];
    const failed = asked.length === 0 ? sent(ending) : { ...sent(ending), asked };
    const observe = transcript.observer(observed, {
      ...(open.gate?.sentRequest ?? request),
      startMs: failed.startMs,
    });
    transcript.failStep(withObserved(failed, observe, agent), reason);
    blameKey(open, observed);
  };
  const onAnswer = (answer: RawReply): NowOrLater<void> => {
    const reason = limit.reasonToEnd('reply');
    if (reason !== undefined) return onEnd(reason, answer);
    limit.waitFor('verdict');
    const { durationMs } = answer;
    // What was replayed came at once; it counts for as long as it took when it was recorded.
    const tookMs =
      open.tape === undefined
        ? durationMs
        : (durationMs ?? clock.now() - start) + open.tape.replayedMs(request.step);
    return readAnswer(open, sent(answer, tookMs), answer);
  };
  const onError = (error: unknown): NowOrLater<void> => {
    // It was refused its next model call because it had made its first move.
    if (open.firstMove?.hasStopped === true && error instanceof AgentError && error.kind === 'limit')
      return onAnswer({ ...STOPPED, printed: error.printed, observed: error.observed });
    onEnd(
      error instanceof BystanderError ? error : (limit.reasonToEnd('reply') ?? blameAgent(error, open)),
      error instanceof AgentError ? error : { printed: '' },
    );
  };
  try {
    const { gate } = open;
    const answer = gate === undefined ? session.send(request, limit.signal) : gate.send(session, request);
    const done = answer instanceof Promise ? answer.then(onAnswer) : onAnswer(answer);
    return done instanceof Promise ? done.catch(onError) : undefined;
  } catch (error) {
    return onError(error);
  }
}

/** What it used for embeddings and images. Each model has its price. */
function pricedCalls(observed: SeenCalls | undefined, agent: Agent | undefined): SentStep['otherCalls'] {
  if (observed === undefined || observed.other_calls.length === 0) return undefined;
  return joinOtherCalls(observed.other_calls)!.map((each) => {
    const { model, token_usage: usage } = each;
    const cost_usd = model === undefined || usage === undefined ? undefined : agent?.costOf?.(model, usage);
    return cost_usd === undefined ? each : { ...each, cost_usd };
  });
}

/** A step fails because of the key if the last model call before was refused. A fault of the test says nothing about it. */
function blameKey({ transcript, faults }: OpenAttempt, observed: SeenCalls | undefined): void {
  const status = refusedStatus(observed?.exchanges.at(-1)?.status);
  if (faults?.lastFault !== undefined) transcript.blameKey(undefined);
  else if (status !== undefined) transcript.blameKey(status);
}

const STOPPED = { reply: { output: '' }, unfinished: 'first_tool_call' } as const;

type Ending = Pick<RawReply, 'printed' | 'observed'>;

/** What a step that failed used is known if its model calls were observed. */
function withObserved(
  sent: SentStep,
  observe: ReturnType<Transcript['observer']>,
  agent: Agent | undefined,
): SentStep {
  return observe === undefined
    ? sent
    : { ...sent, observed: readUnanswered(observe(undefined), agent?.costOf) };
}

function readAnswer(open: OpenAttempt, sent: SentStep, answer: RawReply): NowOrLater<void> {
  const { transcript, context } = open;
  const { test, agent } = open.attempt;
  const { input, step } = open.gate?.sentRequest ?? sent.request;
  const late = lateCall(answer.observed, step, { test, grader: context.grader });
  if (late !== undefined) return transcript.failStep(sent, new AgentError('contract', late));
  const observe = transcript.observer(answer.observed, { input, step, startMs: sent.startMs });
  const pending = pendingApproval(answer.reply);
  if (pending !== undefined && agent !== undefined) {
    const asked = open.gate?.take();
    const failed = { ...withObserved(sent, observe, agent), asked };
    return transcript.failStep(failed, new AgentError('approval', unansweredApproval(pending)));
  }
  const read = readEvidence(answer, { input, costOf: agent?.costOf, observe });
  if (!('reply' in read)) {
    const failed = withObserved(sent, observe, agent);
    if ('problem' in read) transcript.refuseReply(failed, read.problem);
    else transcript.failStep(failed, new AgentError('agent', read.failure));
    return blameKey(open, answer.observed);
  }
  const durationDoubt = doubtDuration(read.reply, sent, agent);
  const reply = withApprovals(open, answer, withDoubt(read.reply, durationDoubt));
  if (open.tape !== undefined) noteUnseen(open.tape, answer, reply);
  const { broken, unseen } = open.keeper?.addStep(answer.observed, reply) ?? {};
  const isHidden = agent !== undefined && agent.modelCalls === undefined;
  if (unseen !== undefined && isHidden && !open.keeper!.allowsUnseen)
    return transcript.failStep({ ...sent, observed: reply }, new AgentError('limit', unseenProblem(unseen)));
  const warnings = [
    answer.warning,
    ...read.warnings.filter(({ code }) => code !== 'unread_model_api' || readsTools(test, context.grader)),
    unseen === undefined ? undefined : unseenLimits(unseen),
    doubtError(answer.reply),
    answer.unfinished !== undefined
      ? undefined
      : emptyAnswerWarning([...sent.step.assertions, ...test.assertions], reply.output, context.grader),
    memoryWarning(test, { before: transcript.memory, after: reply.memory }, context.grader),
    ...(durationDoubt === undefined ? [] : [durationWarning(durationDoubt)]),
  ];
  for (const warning of warnings) {
    if (warning === undefined) continue;
    if (context.strict === true)
      return transcript.refuseReply({ ...sent, observed: reply }, strictProblem(warning));
    transcript.warnOnce(sent.step, warning);
  }
  const graded =
    open.workspace === undefined
      ? gradeReply(open, sent, reply)
      : readyToGrade(open, sent.step).then(() => gradeReply(open, sent, reply));
  if (broken === undefined) return graded;
  const end = (): void => transcript.fail(new AgentError('limit', broken));
  return graded instanceof Promise ? graded.then(end) : end();
}

/** The agent is at rest, and what is protected is as it was. */
async function readyToGrade(
  { attempt, workspace, transcript, context }: OpenAttempt,
  step: Step,
): Promise<void> {
  const warnings = await workspace!.beforeGrading(step === attempt.test.steps.at(-1));
  transcript.warnAboutWorkspace(warnings, context.strict === true);
}

/** What it asked permission for is told where somebody wants to know, or it asked. */
function withApprovals(
  { gate, attempt: { agent, test }, context: { grader } }: OpenAttempt,
  { unfinished }: RawReply,
  reply: Reply,
): Reply {
  const asked = gate?.take() ?? [];
  const isKnown = agent?.asksApproval === true || asked.length > 0;
  const isTold =
    isKnown && (asked.length > 0 || readsPart(test, grader, 'approvals') || test.approvals !== undefined);
  return isTold || unfinished !== undefined
    ? { ...reply, ...(isTold && { approvals_asked: asked }), ...(unfinished !== undefined && { unfinished }) }
    : reply;
}

/** What an agent reports, and what was seen of calls that Assay cannot read, may tell of calls that are on no tape. */
function noteUnseen(tape: AttemptTape, { observed }: RawReply, { token_usage }: Reply): void {
  if (observed === undefined) return;
  const unread = observed.unread.find(({ tool }) => tool === undefined);
  const used = (token_usage?.input ?? 0) + (token_usage?.output ?? 0);
  if (observed.isPastDecider === true) tape.noteUnseen('the agent called a model');
  if (observed.exchanges.length > 0) return;
  if (unread !== undefined) tape.noteUnseen(`the agent called a model at ${unread.at}`);
  else if (used > 0) tape.noteUnseen(`the agent reports that it used ${used} tokens`);
}

function unseenLimits(names: string): ReplyWarning {
  return {
    code: 'limits_unseen',
    message: `nothing is known of what the attempt used for ${names}`,
    hint: HOW_TO_SEE,
  };
}

function unseenProblem(names: string): string {
  return `nothing shows what the agent uses, so ${names} cannot be kept\n${HOW_TO_SEE}, or write \`limits: { unseen: allow }\``;
}

const HOW_TO_SEE =
  'let the agent report `token_usage`, `cost_usd` and `tool_calls`, or let Assay observe its model calls (`observe: true`)';
