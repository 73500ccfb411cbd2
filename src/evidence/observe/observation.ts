import type { OtherCalls } from '../../base/model/other-calls.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { Exchange } from '../exchange.ts';
import type { UnreadCall } from '../trace.ts';
import { useOfExchange } from '../wire/use-of-exchange.ts';
import { FORWARD, type BeforeCall, type CallDecision, type Refusal } from './before-call.ts';
import { OpenExchange } from './open-exchange.ts';
import { trafficNow, usedSince, type Traffic } from './watch-connections.ts';

/** What was seen of one attempt. */
export interface SeenCalls {
  /** Since it was asked last. Empty: none was seen, which does not mean that there was none. */
  readonly exchanges: readonly Exchange[];
  /** Whether there were model calls about which somebody was to decide, and could not. */
  readonly isPastDecider?: boolean | undefined;
  /** How many model calls came of which nobody can say whether they belong to this attempt. */
  readonly unattributed: number;
  /** Calls of models that give no answers. */
  readonly other_calls: readonly OtherCalls[];
  /** Calls of models through APIs that Assay cannot read. Each API once. */
  readonly unread: readonly UnreadCall[];
  /** Programs and threads that the agent started, and connections that nobody can read: what is done there is not seen. Each once. */
  readonly hidden: readonly string[];
  /** Those of them that the config declares harmless. */
  readonly harmless: readonly string[];
}

/** Of most attempts. */
export const NOTHING_SEEN: SeenCalls = {
  exchanges: [],
  unattributed: 0,
  other_calls: [],
  unread: [],
  hidden: [],
  harmless: [],
};

/** Tells whose a request is that is made right now, a model call or another request to a model API. */
export type Whose = (isModelCall: boolean) => Observation | undefined;

export interface ObservationOptions {
  /** Asked before each call. */
  readonly beforeCall?: BeforeCall | undefined;
  /** It is asked about all requests to model APIs, not about model calls alone. */
  readonly takesAllRequests?: boolean | undefined;
  /** It may not reach other machines. */
  readonly isOffline?: boolean | undefined;
  /** Programs and hosts that are neither models nor tools. */
  readonly harmless?: ReadonlySet<string> | undefined;
  /** Told that there was a call that may have been its own, and of which nobody can say so. */
  readonly onLost?: (() => void) | undefined;
}

/** A call that may be of any attempt cannot be answered from the recordings of one. */
export const UNATTRIBUTED: Refusal = {
  do: 'refuse',
  kind: 'cassette',
  message:
    'Assay cannot tell which test a model call belongs to, so nothing can be replayed: let the agent make its calls itself, before it replies, and not in a queue that all tests share',
};

/** Code that runs for one step of an attempt, also when the step is over. */
export interface StepScope {
  readonly observation: Observation;
  readonly step: number;
}

/** The model calls of one attempt. */
export class Observation {
  private readonly stepNow: (() => number | undefined) | undefined;
  /** What had gone through connections that nobody can read when the step began. */
  private before: Traffic;
  readonly beforeCall: BeforeCall | undefined;
  readonly takesAllRequests: boolean;
  readonly isOffline: boolean;
  private readonly onLost: (() => void) | undefined;
  private readonly harmless: ReadonlySet<string> | undefined;
  /** A model was called while code of an agent was loaded. */
  isAfterCalls = false;
  /** Nobody waits for its agent any more, which goes on. */
  isAbandoned = false;
  /** Told why a call was refused: the attempt ends. */
  onRefused: ((refusal: Refusal) => void) | undefined;
  private refusal: Refusal | undefined;
  private step = 1;
  private seq = 0;
  private unattributed = 0;
  private unread: Map<string, UnreadCall> | undefined;
  private started: (() => string)[] | undefined;
  private suspects: Observation[] | undefined;
  private open: OpenExchange[] | undefined;
  /** Of the whole attempt, where somebody decides about calls. */
  private made: Map<OpenExchange, Exchange | undefined> | undefined;

  /** `stepNow`: the step whose code runs right now, where somebody knows it. */
  constructor(
    { beforeCall, takesAllRequests = false, isOffline = false, onLost, harmless }: ObservationOptions = {},
    stepNow?: () => number | undefined,
  ) {
    this.stepNow = stepNow;
    this.harmless = harmless;
    this.isOffline = isOffline;
    this.onLost = onLost;
    this.beforeCall = beforeCall;
    this.takesAllRequests = takesAllRequests && beforeCall !== undefined;
  }

  /** What comes from here on belongs to this step, unless the code of an earlier one makes it. */
  begin(step: number): StepScope {
    this.step = step;
    this.before = trafficNow();
    return { observation: this, step };
  }

  /** A request that may be a model call begins. */
  add(method: string, path: string): OpenExchange {
    const exchange = new OpenExchange({ seq: ++this.seq, step: this.stepNow?.() ?? this.step, method, path });
    (this.open ??= []).push(exchange);
    return exchange;
  }

  /** There was a call of a model that Assay cannot read. */
  noteUnread(call: UnreadCall): void {
    (this.unread ??= new Map()).set(call.at, call);
  }

  /** The agent started a program or a thread. `name` is asked for later. */
  noteStarted(name: () => string): void {
    (this.started ??= []).push(name);
  }

  /** A call of an attempt that has ended may have been made for this one. */
  suspect(late: Observation): void {
    (this.suspects ??= []).push(late);
  }

  /** A call was refused: every later one is too, also when the attempt has ended and the agent runs on. */
  get isRefusing(): boolean {
    return this.refusal !== undefined;
  }

  /** What becomes of a call. */
  async decide(exchange: OpenExchange): Promise<CallDecision> {
    const call = exchange.toCall();
    if (this.beforeCall === undefined || !(call.isModelCall || this.takesAllRequests)) return FORWARD;
    if (this.refusal !== undefined) return this.refusal;
    const before = this.finishedBefore();
    if (call.isModelCall) (this.made ??= new Map()).set(exchange, undefined);
    const decision = await this.beforeCall(call, before);
    if (decision.do === 'refuse') this.refuse(decision);
    if ((decision.do === 'forward' || decision.do === 'answer') && decision.request !== undefined)
      exchange.replaceRequest(printJson(decision.request));
    if (decision.do === 'forward') {
      const seen = decision.respond === undefined ? exchange : exchange.splitOff();
      decision.watch?.(seen);
    }
    return decision;
  }

  /** No call is let through from now on, and the attempt ends. */
  refuse(refusal: Refusal): void {
    this.refusal = refusal;
    this.onRefused?.(refusal);
  }

  private finishedBefore(): readonly (Exchange | undefined)[] {
    return [...(this.made ?? [])].map(([open, known]) => {
      const finished = known ?? (open.hasEnded ? open.toModelExchange() : undefined);
      if (finished !== undefined) this.made!.set(open, finished);
      return finished;
    });
  }

  /** A call was made that may be of this attempt. Where all calls are replayed, that leaves nothing to trust. */
  lose(): void {
    this.onLost?.();
    if (this.isOffline && this.refusal === undefined) this.refuse(UNATTRIBUTED);
  }

  /** There was a model call that may be of this attempt, or of another. */
  doubt(): void {
    this.unattributed++;
  }

  /** What was seen since it was asked last. A call that is still open is broken. */
  take(): SeenCalls {
    const connections = usedSince(this.before);
    if (!this.hasSeen && connections.length === 0) return NOTHING_SEEN;
    for (const each of this.open ?? []) {
      const call = each.toUnread();
      if (call !== undefined) this.noteUnread(call);
    }
    const { unread, started } = this;
    const unattributed =
      this.unattributed + (this.suspects ?? []).filter((late) => late.mayHoldCalls()).length;
    const exchanges = this.modelExchanges();
    const otherCalls = (this.open ?? []).flatMap((exchange) => exchange.toOtherCall() ?? []);
    const isPastDecider =
      this.beforeCall !== undefined &&
      (this.open ?? []).some((each) => this.made?.has(each) !== true && each.toCall().isModelCall);
    this.open = undefined;
    this.unread = undefined;
    this.started = undefined;
    this.suspects = undefined;
    this.unattributed = 0;
    return {
      exchanges,
      ...(isPastDecider && { isPastDecider }),
      unattributed,
      other_calls: otherCalls,
      unread: [...(unread?.values() ?? [])],
      ...this.sortHidden([
        ...(started ?? []).map((name) => name()),
        ...connections,
        ...(this.isAfterCalls ? ['a model call while the module was loaded'] : []),
      ]),
    };
  }

  private sortHidden(names: readonly string[]): Pick<SeenCalls, 'hidden' | 'harmless'> {
    const all = [...new Set(names)];
    const isHarmless = (name: string): boolean => this.harmless?.has(name) === true;
    return { hidden: all.filter((name) => !isHarmless(name)), harmless: all.filter(isHarmless) };
  }

  /**
   * Whether a late call can change what is known about tools. A title or a summary cannot. It takes nothing: every attempt that
   * runs asks.
   */
  private mayHoldCalls(): boolean {
    return this.modelExchanges().some((exchange) => {
      const use = useOfExchange(exchange);
      return use !== undefined && (use.offersTools || use.tool_calls.length > 0);
    });
  }

  private modelExchanges(): readonly Exchange[] {
    return (this.open ?? []).flatMap((exchange) => exchange.toModelExchange() ?? []);
  }

  private get hasSeen(): boolean {
    const { open, unread, started, suspects } = this;
    return (open ?? unread ?? started ?? suspects) !== undefined || this.unattributed > 0;
  }
}
