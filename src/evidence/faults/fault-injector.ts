import { recordResponse, replayResponse } from '../cassettes/recorded-response.ts';
import type { Exchange } from '../exchange.ts';
import {
  FORWARD,
  type BeforeCall,
  type CallDecision,
  type ModelAnswer,
  type ModelCall,
} from '../observe/before-call.ts';
import { faultyCall, faultyTool, type Fault } from '../../base/model/fault.ts';
import type { Json } from '../../base/model/json.ts';
import { cutAnswer, decideFault } from './fault-answer.ts';
import { HeardAnswers } from './heard-answers.ts';
import { callsOf, changeResults } from './result-faults.ts';

/** A fault that did not happen, and why. */
export interface MissedFault {
  readonly fault: Fault;
  readonly message: string;
}

/** Makes the model calls of one attempt go wrong where its test says so. */
export class FaultInjector {
  private readonly faults: readonly Fault[];
  private readonly toolFaults: readonly Fault[];
  private readonly happened = new Set<Fault>();
  private readonly answers = new HeardAnswers();
  private readonly outputs = new Map<number, Json>();
  private modelCalls = 0;
  private last: Fault | undefined;
  /** How many tool calls were asked for before the try that is under way. */
  private callsBefore = 0;

  constructor(faults: readonly Fault[]) {
    this.faults = faults;
    this.toolFaults = faults.filter((fault) => faultyTool(fault) !== undefined);
  }

  /** Decides about each call before `next` does, or changes what that decides. */
  around(next: BeforeCall = () => FORWARD): BeforeCall {
    return async (call, before) => {
      if (!call.isModelCall) return next(call, before);
      const number = ++this.modelCalls;
      const fault = this.faults.find((each) => each.on === 'model' && each.call === number);
      this.last = fault;
      if (fault !== undefined) this.happened.add(fault);
      if (fault !== undefined && fault.do !== 'truncate')
        return this.hear(call, decideFault(fault.do, call, number));
      const changed = changeResults(call, this.toolFaults, this.askedCalls());
      for (const each of changed?.faults ?? []) this.happened.add(each);
      for (const [place, output] of changed?.outputs ?? []) this.outputs.set(place, output);
      const request = changed?.request;
      const decision = await next(request === undefined ? call : { ...call, request }, before);
      const isMade = decision.do === 'forward' || decision.do === 'answer';
      const sent = isMade && request !== undefined ? { request, ...decision } : decision;
      return fault === undefined ? this.hear(call, sent) : cut(sent);
    };
  }

  /** The attempt is made once more because of a fault: the calls are counted on. */
  beginTry(): void {
    this.last = undefined;
    this.callsBefore = this.askedCalls().length;
  }

  /** The fault that the last call met. Undefined: none. */
  get lastFault(): Fault | undefined {
    return this.last;
  }

  /** What the model got as the result of a tool call, where a fault changed it. The calls of a try count from 0 on. */
  changedOutput(index: number): Json | undefined {
    return this.outputs.get(this.callsBefore + index);
  }

  /** To be asked when the attempt is over. */
  missed(): readonly MissedFault[] {
    return this.faults
      .filter((fault) => !this.happened.has(fault))
      .map((fault) => ({
        fault,
        message: `the fault at ${faultyCall(fault)} did not happen: ${this.whyMissed(fault)}`,
      }));
  }

  private whyMissed(fault: Fault): string {
    const tool = faultyTool(fault);
    if (tool === undefined) return `the attempt made ${counted(this.modelCalls, 'model call')}`;
    const asked = callsOf(fault, this.askedCalls()).length;
    if (asked < fault.call)
      return asked === 0 ? 'the model never called the tool' : `the model called the tool ${times(asked)}`;
    return fault.do === 'truncate'
      ? 'no later request contained a result of it that has text'
      : 'no later request contained its result';
  }

  private askedCalls() {
    return this.toolFaults.length === 0 ? [] : this.answers.askedCalls();
  }

  /** Listens to what the model says, where it matters. */
  private hear(call: ModelCall, decision: CallDecision): CallDecision {
    if (this.toolFaults.length === 0) return decision;
    if (decision.do === 'answer') return { ...decision, answer: this.answers.keep(call, decision.answer) };
    if (decision.do !== 'forward') return decision;
    return {
      ...decision,
      watch: (exchange) => {
        decision.watch?.(exchange);
        this.answers.watch(exchange);
      },
    };
  }
}

/** The agent gets half of the response; whoever records it sees all of it. */
function cut(decision: CallDecision): CallDecision {
  if (decision.do === 'answer') return { ...decision, answer: cutAnswer(decision.answer) };
  return decision.do === 'forward' ? { ...decision, respond: cutResponse } : decision;
}

/** Cut in the form in which it would be replayed, so that it is cut at the same place then. */
function cutResponse(whole: Exchange): ModelAnswer {
  const recorded = recordResponse(whole, whole.started_ms);
  return cutAnswer(replayResponse(recorded, { withDelays: false }));
}

function counted(count: number, what: string): string {
  return count === 0 ? `no ${what}` : `${count} ${what}${count === 1 ? '' : 's'}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
