import { AgentError, type NowOrLater, type RawReply, type Session } from '../../agents/contract.ts';
import {
  joinApprovals,
  type ApprovalAnswer,
  type ApprovalAsked,
  type ApprovalRequest,
  type Approvals,
} from '../../base/model/approval.ts';
import type { AgentRequest } from '../../base/model/reply.ts';
import type { Step } from '../../base/model/test.ts';
import type { Attempt } from './attempt.ts';
import type { TimeLimit } from './attempt-limit.ts';

interface Waiting {
  readonly asked: ApprovalRequest;
  resolve(answer: ApprovalAnswer): void;
}

type Decision = Pick<ApprovalAsked, 'do' | 'by' | 'rule' | 'reason' | 'answer'>;

/**
 * Answers what the agent asks permission for, by the rules of the test and its target, and by steps that stand in the place of an input. A
 * request that nobody answers ends the attempt.
 */
export class ApprovalGate {
  private readonly approvals: Approvals;
  private readonly steps: readonly Step[];
  private readonly limit: TimeLimit;
  private readonly waiting: Waiting[] = [];
  private asked: ApprovalAsked[] = [];
  /** The step that was sent last, while the agent works on it. */
  private running: { readonly reply: Promise<RawReply>; readonly request: AgentRequest } | undefined;
  private index = -1;
  private onWaiting: (() => void) | undefined;
  private readonly hasAnswers: boolean;

  constructor({ test, agent }: Pick<Attempt, 'test' | 'agent'>, limit: TimeLimit) {
    this.approvals = joinApprovals([test.approvals, agent?.approvals]);
    this.steps = test.steps;
    this.limit = limit;
    this.hasAnswers = test.steps.some(({ approval }) => approval !== undefined);
  }

  /** What the agent asks. It may never be answered: then the attempt has ended. */
  readonly approve = (asked: ApprovalRequest): Promise<ApprovalAnswer> => {
    const { rules = [], default: otherwise } = this.approvals;
    const position = rules.findIndex(({ tool }) => isNamed(asked.tool, tool));
    const rule = rules[position];
    const decided = rule?.do ?? otherwise;
    if (decided === undefined && this.nextAnswer !== undefined) return this.wait(asked);
    const by: Decision =
      rule === undefined
        ? { do: decided ?? 'fail', by: decided === undefined ? undefined : 'default' }
        : { do: rule.do, by: 'rule', rule: position + 1, reason: rule.message };
    this.note(asked, by);
    if (by.do === 'allow') return Promise.resolve({ do: 'allow' });
    if (by.do === 'deny') return Promise.resolve({ do: 'deny', message: by.reason });
    this.end(by.by === undefined ? unanswered(asked) : refused(asked, by.reason));
    return new Promise(() => {});
  };

  /** Sends a step, or answers what the agent waits for. */
  send(session: Session, request: AgentRequest): NowOrLater<RawReply> {
    this.index++;
    // Nobody could wait: the agent is called as it would be without a gate.
    if (!this.hasAnswers) return session.send(request, this.limit.signal);
    const answer = this.steps[this.index]?.approval;
    const [first] = this.waiting;
    if (answer === undefined) {
      if (first !== undefined) throw unanswered(first.asked);
      const reply = Promise.resolve(session.send(request, this.limit.signal));
      reply.catch(() => {});
      this.running = { reply, request };
    } else {
      if (first === undefined)
        throw new AgentError(
          'approval',
          'the step answers a request, but the agent does not wait for an answer\nremove the step, or give it an `input`',
        );
      this.waiting.shift();
      this.note(first.asked, decisionOf(answer));
      first.resolve(answer);
    }
    return this.settle();
  }

  /** The step whose model calls are those of a step. An agent that waited goes on with an earlier one. */
  get sentRequest(): AgentRequest | undefined {
    return this.running?.request;
  }

  /** Since it was asked last. */
  take(): readonly ApprovalAsked[] {
    const { asked } = this;
    this.asked = [];
    return asked;
  }

  /** The attempt is over: an agent that still waits is stopped. */
  close(): void {
    if (this.waiting.length > 0) this.end(unanswered(this.waiting[0]!.asked));
  }

  private get nextAnswer(): ApprovalAnswer | undefined {
    return this.steps[this.index + 1]?.approval;
  }

  /** The reply, or the word that the agent waits. */
  private settle(): Promise<RawReply> {
    const waits = new Promise<RawReply>((resolve) => {
      this.onWaiting = () => resolve(WAITS);
    });
    const [next] = this.waiting;
    if (next !== undefined) {
      // It asked for several permissions at once: each step answers one.
      if (this.nextAnswer === undefined) throw unanswered(next.asked);
      this.onWaiting!();
    }
    return Promise.race([this.running!.reply, waits]);
  }

  private wait(asked: ApprovalRequest): Promise<ApprovalAnswer> {
    return new Promise((resolve) => {
      this.waiting.push({ asked, resolve });
      this.note(asked, { do: 'wait' });
      this.onWaiting?.();
    });
  }

  private note({ tool, input, id, message }: ApprovalRequest, decision: Decision): void {
    const all = { tool, input, id, message, ...decision };
    const known = Object.entries(all).filter(([, value]) => value !== undefined);
    this.asked.push(Object.fromEntries(known) as unknown as ApprovalAsked);
  }

  private end(error: AgentError): void {
    this.limit.endWith(error);
  }
}

/** What is known of it belongs to the step in which the agent goes on. */
const WAITS: RawReply = { reply: { output: '' }, printed: '', unfinished: 'waiting' };

function decisionOf(answer: ApprovalAnswer): Decision {
  if (answer.do === 'allow') return { do: 'allow', by: 'step' };
  if (answer.do === 'deny') return { do: 'deny', by: 'step', reason: answer.message };
  return { do: 'answer', by: 'step', answer: answer.answer };
}

function unanswered({ tool, message }: ApprovalRequest): AgentError {
  const about = message === undefined || message === tool ? '' : ` (${message})`;
  return new AgentError(
    'approval',
    `the agent asks for permission to use ${tool}${about}, and no one answers\nadd \`approvals: { rules: [{ tool: ${tool}, do: allow }] }\` to the test or its target, or a step with \`approve: true\` or \`deny: ...\``,
  );
}

function refused({ tool }: ApprovalRequest, reason: string | undefined): AgentError {
  return new AgentError(
    'approval',
    `the agent asks for permission to use ${tool}, which \`approvals\` does not let it ask for${reason === undefined ? '' : `: ${reason}`}`,
  );
}

function isNamed(tool: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(tool);
}
