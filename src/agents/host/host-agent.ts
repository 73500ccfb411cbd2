import { noteLateCalls } from '../../evidence/observe/late-calls.ts';
import { NOTHING_SEEN, type SeenCalls } from '../../evidence/observe/observation.ts';
import type { JsonObject, Json } from '../../base/model/json.ts';
import type { AgentRequest } from '../../base/model/reply.ts';
import { HostError, HostProcess } from '../processes/host-process.ts';
import type { ProcessOptions } from '../processes/process-group.ts';
import { asAgentError } from '../agent-programs.ts';
import { AgentSetupError } from '../agent-setup-error.ts';
import {
  AgentError,
  BystanderError,
  type Agent,
  type OpenOptions,
  type RawReply,
  type Session,
  telemetryOf,
} from '../contract.ts';
import { sendTraced, type TracedReply } from '../send-traced.ts';
import type { TelemetryPath } from '../../evidence/otel/telemetry-path.ts';
import { noteLateErrors } from '../function-call.ts';
import type { LoadFunctionAgentOptions } from '../load-function-agent.ts';
import { InputLog } from '../input-log.ts';
import { LEFT_OUT } from '../../evidence/reply/read-trace.ts';
import { stoppedError } from '../stopped-error.ts';
import { isSendAnswer, valueOf } from './host-answers.ts';
import { HostDecisions, shiftTimes } from './host-decisions.ts';
import { endWithUs } from './end-with-us.ts';
import { startHost } from './spare-host.ts';
import type {
  DecideQuestion,
  EndAnswer,
  HostFailure,
  HostQuestion,
  LoadAnswer,
  LoadRequest,
  RespondQuestion,
  SessionOpening,
} from './messages.ts';

export interface HostAgentOptions extends LoadFunctionAgentOptions, ProcessOptions {
  /** Somebody wants to know which files it uses. */
  readonly seesInputs?: boolean | undefined;
}

/** The function of a JavaScript or TypeScript file, in a process of its own. Throws an AgentSetupError that says what was found instead. */
export async function createHostAgent(file: string, options: HostAgentOptions): Promise<Agent> {
  const telemetry = await openTelemetry(options);
  const own = telemetry === undefined ? options : { ...options, env: { ...options.env, ...telemetry.env } };
  const hosts = new AgentHosts(file, own, telemetry);
  const { workers, isSilent } = await hosts.shared();
  return {
    name: options.name,
    workers,
    modelCalls: options.observe === false ? undefined : 'observed',
    isFunction: true,
    asksApproval: true,
    ...(isSilent && { waitedMs: () => hosts.waitedMs }),
    ...(options.seesInputs === true && { inputs: () => hosts.inputs.seen() }),
    open: (test, opening) => HostSession.open(hosts, `${test.file}::${test.id}`, opening),
    close: () => hosts.close(),
  };
}

async function openTelemetry({ env, observe }: HostAgentOptions): Promise<TelemetryPath | undefined> {
  const settings = telemetryOf(observe);
  if (settings === undefined) return undefined;
  const { TelemetryPath: Path } = await import('../../evidence/otel/telemetry-path.ts');
  return Path.open({ ...settings, env, use: 'own' });
}

/** The processes of one agent: one that all sessions share, and one for each test that may have ended another. */
class AgentHosts {
  waitedMs = 0;
  /** Told of connections that were refused while model calls are replayed. */
  onBlocked: ((host: string) => void) | undefined;
  readonly inputs = new InputLog();
  private readonly file: string;
  private readonly options: HostAgentOptions;
  private readonly suspects = new Set<string>();
  private readonly all = new Set<AgentHost>();
  private current: Promise<AgentHost> | undefined;

  readonly telemetry: TelemetryPath | undefined;

  constructor(file: string, options: HostAgentOptions, telemetry: TelemetryPath | undefined) {
    this.file = file;
    this.options = options;
    this.telemetry = telemetry;
  }

  /** For a test. One that may have ended the process of others runs alone, which shows whether it did. */
  of(test: string): Promise<AgentHost> {
    return this.suspects.has(test) ? this.start({ isPrivate: true }) : this.shared();
  }

  async shared(): Promise<AgentHost> {
    const starting = (this.current ??= this.start({ isPrivate: false }));
    const host = await starting;
    if (host.isUsable) return host;
    if (this.current === starting) this.current = undefined;
    return this.shared();
  }

  suspect(test: string): void {
    this.suspects.add(test);
  }

  /** A host of one test is over with it. */
  async leave(host: AgentHost): Promise<void> {
    if (!host.isPrivate) return;
    this.all.delete(host);
    await host.end();
  }

  async close(): Promise<void> {
    await Promise.all([...this.all].map((host) => host.end()));
    await this.telemetry?.close();
  }

  private async start(place: { readonly isPrivate: boolean }): Promise<AgentHost> {
    const onBlocked = (blocked: string): void => this.onBlocked?.(blocked);
    const { inputs } = this;
    const host = await AgentHost.start(this.file, {
      ...this.options,
      ...place,
      onBlocked,
      inputs,
    });
    this.all.add(host);
    return host;
  }
}

interface HostStart extends HostAgentOptions {
  readonly isPrivate: boolean;
  readonly inputs: InputLog;
  onBlocked(host: string): void;
}

class AgentHost {
  readonly workers: number;
  readonly isSilent: boolean;
  private readonly process: HostProcess;
  private readonly inputs: InputLog;
  /** From its clock to ours. */
  readonly shiftMs: number;
  private readonly sessions: Map<number, HostSession>;
  /** A step was given up, and its code may run on. */
  private hasLeftovers = false;
  /** One test runs in it. */
  readonly isPrivate: boolean;

  static async start(
    file: string,
    { isPrivate, onBlocked, inputs, ...options }: HostStart,
  ): Promise<AgentHost> {
    const { name, exportName, root, observe = true, seesInputs = false } = options;
    const sessions = new Map<number, HostSession>();
    const onAsk = async (question: JsonObject): Promise<Json> => {
      const { blocked, session } = question;
      if ('inputs' in question) {
        inputs.add(question);
        return null;
      }
      if (typeof blocked !== 'string')
        return answerQuestion(sessions.get(session as number), question as unknown as HostQuestion);
      onBlocked(blocked);
      return null;
    };
    const { group, variables } = await startHost(options).catch((error: unknown) => {
      throw asAgentError(error);
    });
    // Before it loads code of users.
    endWithUs(group);
    const host = new HostProcess(group, {
      isConcurrent: true,
      onAsk,
      lineLimitBytes: LINE_LIMIT_BYTES,
      onIdleEnd: (how) => noteLateErrors([`the process of the agent ${how} after its reply`]),
    });
    const request: LoadRequest = {
      load: file,
      name,
      exportName,
      root,
      observe: typeof observe === 'object' ? true : observe,
      variables,
      seesInputs,
    };
    try {
      const answer = await host.call(request, AbortSignal.timeout(LOAD_LIMIT_MS));
      const loaded = valueOf(answer) as unknown as LoadAnswer;
      return new AgentHost(host, { ...loaded, isPrivate, inputs }, sessions);
    } catch (error) {
      await host.stop();
      if (!(error instanceof HostError)) throw error;
      const what =
        error.reason === 'aborted'
          ? `it takes longer than ${LOAD_LIMIT_MS / 1000} s`
          : `its process ${error.message}${error.said}`;
      throw new AgentSetupError(`${name} cannot be loaded: ${what}`, { cause: error });
    }
  }

  private constructor(
    host: HostProcess,
    loaded: LoadAnswer & Pick<HostStart, 'isPrivate' | 'inputs'>,
    sessions: Map<number, HostSession>,
  ) {
    this.process = host;
    this.isPrivate = loaded.isPrivate;
    this.inputs = loaded.inputs;
    this.workers = loaded.workers;
    this.isSilent = loaded.isSilent;
    this.shiftMs = loaded.origin - performance.timeOrigin;
    this.sessions = sessions;
  }

  get isUsable(): boolean {
    return this.process.isUsable;
  }

  /** No other test is in it, and nothing that an earlier one left behind. */
  get isAlone(): boolean {
    if (this.isPrivate) return true;
    return !this.hasLeftovers && this.sessions.size <= 1 && this.process.underWay <= 1;
  }

  async send(session: HostSession, request: object, signal: AbortSignal): Promise<TracedReply> {
    this.sessions.set(session.id, session);
    const value = await this.process.call({ session: session.id, ...request }, signal);
    this.passDirect();
    const answer = valueOf(value, (failure) => this.observedOf(session, failure));
    if (!isSendAnswer(answer))
      throw new AgentError('contract', 'the agent wrote to the pipe that is reserved for its replies');
    const { reply, output, timeToFirstTokenMs, waitedMs, observed, watched, isFlushed } = answer;
    session.decisions.update(watched, this.shiftMs);
    session.waited(waitedMs);
    return {
      reply,
      printed: output,
      unreported: LEFT_OUT,
      ...(timeToFirstTokenMs !== undefined && { timeToFirstTokenMs }),
      ...(observed !== undefined && { observed: observed === null ? NOTHING_SEEN : this.shift(observed) }),
      ...(isFlushed !== undefined && { isFlushed }),
    };
  }

  /** What was written past the console goes to the terminal, as that of functions in this process does: nobody knows whose it is. */
  private passDirect(): void {
    const direct = this.process.takePrinted();
    if (direct !== '') process.stderr.write(direct);
  }

  /** The error of a step that was given up, with what was seen of it. Undefined if code of users blocks the host. */
  async look(session: HostSession, signal: AbortSignal): Promise<AgentError | undefined> {
    this.hasLeftovers = true;
    try {
      const answer = await this.process.call({ look: session.id }, AbortSignal.timeout(PING_LIMIT_MS));
      const failure = answer['error'] as HostFailure | undefined;
      const { kind, message, cause } = stoppedError(signal);
      return new AgentError(kind, message, {
        printed: failure?.output ?? '',
        cause,
        observed: failure === undefined ? undefined : this.observedOf(session, failure),
      });
    } catch {
      return undefined;
    }
  }

  private observedOf(session: HostSession, { watched = [], observed }: HostFailure): SeenCalls | undefined {
    session.decisions.update(watched, this.shiftMs);
    return this.shift(observed);
  }

  private shift(observed: SeenCalls | undefined): SeenCalls | undefined {
    if (observed === undefined) return undefined;
    return { ...observed, exchanges: observed.exchanges.map((each) => shiftTimes(each, this.shiftMs)) };
  }

  /** Nobody waits for it. */
  close(session: HostSession): void {
    this.sessions.delete(session.id);
    this.process.note({ note: 'close', session: session.id });
  }

  /** Ends when the agent has closed what it opened. */
  async end(): Promise<void> {
    const ended = await this.askToEnd();
    if (ended === undefined) this.inputs.add(undefined);
    const { lateCalls = 0, lateErrors = [], isQuiet = false } = ended ?? {};
    noteLateCalls(lateCalls);
    noteLateErrors(lateErrors);
    await (isQuiet ? this.process.discard() : this.process.retire());
    this.passDirect();
  }

  private async askToEnd(): Promise<Partial<EndAnswer> | undefined> {
    if (!this.isUsable) return undefined;
    const ended = this.process.call({ end: true }, AbortSignal.timeout(END_LIMIT_MS));
    return (await ended.catch(() => undefined)) as Partial<EndAnswer> | undefined;
  }
}

const UNANSWERED = 'the process of the agent did not answer while several tests ran in it';
/** Of all that a step did: what its model calls sent and got is in it. */
const LINE_LIMIT_BYTES = 200 * 1024 * 1024;
const LOAD_LIMIT_MS = 120_000;
const END_LIMIT_MS = 2000;
/** HostProcess ends a host that takes longer. */
const PING_LIMIT_MS = 900;
let lastSession = 0;

class HostSession implements Session {
  readonly id = ++lastSession;
  readonly decisions = new HostDecisions();
  private readonly hosts: AgentHosts;
  private readonly test: string;
  readonly options: OpenOptions;
  private readonly host: AgentHost;
  private isOpen = false;

  /** Outside of the time of the test: a process may have to start. */
  static async open(hosts: AgentHosts, test: string, options: OpenOptions = {}): Promise<HostSession> {
    hosts.onBlocked = options.offline?.onBlocked;
    try {
      return new HostSession(hosts, await hosts.of(test), { test, options });
    } catch (error) {
      if (error instanceof AgentError) throw error;
      // It was loaded before, and has changed since.
      throw new AgentError('agent', (error as Error).message, { cause: error });
    }
  }

  private constructor(
    hosts: AgentHosts,
    host: AgentHost,
    { test, options }: { readonly test: string; readonly options: OpenOptions },
  ) {
    this.hosts = hosts;
    this.host = host;
    this.test = test;
    this.options = options;
  }

  async send(request: AgentRequest, signal: AbortSignal): Promise<RawReply> {
    if (signal.aborted) throw stoppedError(signal);
    if (!this.host.isUsable) throw this.blame('the process of the agent ended between two steps');
    const opening = this.isOpen ? undefined : this.opening();
    this.isOpen = true;
    const { messages, input_messages } = request;
    const sent = messages === input_messages ? { ...request, messages: undefined } : request;
    try {
      const send = (traceparent?: string): Promise<TracedReply> =>
        this.host.send(this, { request: sent, opening, traceparent }, signal);
      const { telemetry } = this.hosts;
      return await (telemetry === undefined ? send() : sendTraced(telemetry, { signal }, send));
    } catch (error) {
      throw error instanceof HostError ? await this.explain(error, signal) : error;
    }
  }

  async close(): Promise<void> {
    this.host.close(this);
    await this.hosts.leave(this.host);
  }

  waited(ms: number): void {
    this.hosts.waitedMs += ms;
  }

  async decide({ modelCall, before, watched }: DecideQuestion): Promise<Json> {
    const { shiftMs } = this.host;
    this.decisions.update(watched, shiftMs);
    const earlier = before.map((exchange) => (exchange === null ? undefined : shiftTimes(exchange, shiftMs)));
    const decision = await this.options.beforeCall!(modelCall, earlier);
    return this.decisions.toData(decision) as unknown as Json;
  }

  async respond({ respond, whole }: RespondQuestion): Promise<Json> {
    const answer = await this.decisions.respond(respond, shiftTimes(whole, this.host.shiftMs));
    return answer as unknown as Json;
  }

  lose(): void {
    this.options.onLost?.();
  }

  private opening(): SessionOpening {
    const { beforeCall, takesAllRequests, isOffline, harmless, offline } = this.options;
    return {
      allowedHosts: offline?.allowed,
      isDecided: beforeCall === undefined ? undefined : true,
      takesAllRequests,
      isOffline,
      harmless: harmless && [...harmless],
    };
  }

  /** What the process did is this test's doing if nothing else was in it. Else it runs again, alone. */
  private blame(what: string): AgentError {
    if (this.host.isPrivate) return new AgentError('agent', what);
    this.hosts.suspect(this.test);
    return new BystanderError(what);
  }

  private async explain(error: HostError, signal: AbortSignal): Promise<AgentError> {
    const { reason, message, said, pending } = error;
    const wasAlone = this.host.isAlone && pending.length <= 1;
    if (reason === 'aborted')
      return (
        (await this.host.look(this, signal)) ?? (wasAlone ? stoppedError(signal) : this.blame(UNANSWERED))
      );
    if (!wasAlone || (reason === 'killed' && !this.host.isPrivate))
      return this.blame(`the process of the agent ${message} while other tests were in it${said}`);
    if (reason === 'ended' || reason === 'killed')
      return new AgentError('agent', `the agent ${message} in the middle of a step${said}`);
    if (reason === 'flooded') return new AgentError('limit', `the agent ${message} in one step`);
    return new AgentError('contract', `the agent ${message}`);
  }
}

async function answerQuestion(session: HostSession | undefined, question: HostQuestion): Promise<Json> {
  // It was closed, and nobody decides about what its agent does now.
  if (session === undefined) throw new Error('the test of this call has ended');
  if ('modelCall' in question) return session.decide(question);
  if ('approval' in question) return (await session.options.approve!(question.approval)) as unknown as Json;
  if ('piece' in question) return session.decisions.piece(question.piece);
  if ('respond' in question) return session.respond(question);
  session.lose();
  return null;
}
