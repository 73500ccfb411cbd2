import { isJsonObject, ownValue, type JsonObject } from '../base/model/json.ts';
import type { Place } from '../base/model/place.ts';
import { mayBeModelCall } from '../evidence/wire/recognise-model-call.ts';
import type { ErrorKind } from '../base/model/record.ts';
import { refusedStatus, type RefusedStatus } from '../base/model/refused-status.ts';
import { HostError, type HostProcess } from './processes/host-process.ts';
import type { ProcessOptions } from './processes/process-group.ts';
import { startPython } from './processes/python-host.ts';
import { asAgentError } from './agent-programs.ts';
import { AgentError } from './contract.ts';
import type { WatchedPath } from './model-call-watch.ts';
import type { TracedReply } from './send-traced.ts';
import { eventsIn } from '../evidence/reply/events-in-text.ts';
import { tooDeepError } from './print-request.ts';
import { InputLog } from './input-log.ts';
import { PYTHON_AGENT } from './python-agent-script.ts';
import { PYTHON_INPUTS } from './python-inputs-script.ts';
import { LEFT_OUT } from '../evidence/reply/read-trace.ts';
import { stoppedError } from './stopped-error.ts';

/** The module of the agent cannot be loaded, or has no such function. */
export class PythonLoadError extends AgentError {
  facts: PythonLoadFacts = {};
}

export interface PythonLoadFacts {
  /** Of a syntax error. */
  readonly place?: Place;
  /** The name of a module that cannot be found. */
  readonly missing?: string | null;
  /** What the file has instead of the function. */
  readonly functions?: readonly string[];
}

interface ChildOptions extends ProcessOptions {
  /** Gathers which files it uses. */
  readonly inputs?: InputLog | undefined;
}

const END_LIMIT_MS = 2000;

/** A python3 that holds the agent's module and answers one call at a time. */
export class PythonChild {
  /** The test file its module was last executed for. */
  lastFile: string | undefined;
  /** Where its model calls go, if they are watched. */
  modelCalls: WatchedPath | undefined;
  /** A thread that a call started was still at work when its reply came. */
  isAtWork = false;
  private readonly host: HostProcess;
  private readonly inputs: InputLog | undefined;

  /** With `inputs`, the last argument is the project's root. */
  static async start(argv: readonly string[], { inputs, ...options }: ChildOptions): Promise<PythonChild> {
    const script = inputs === undefined ? PYTHON_AGENT : PYTHON_INPUTS + PYTHON_AGENT;
    try {
      return new PythonChild(await startPython(script, argv, options), inputs);
    } catch (error) {
      throw asAgentError(error);
    }
  }

  private constructor(host: HostProcess, inputs: InputLog | undefined) {
    this.host = host;
    this.inputs = inputs;
  }

  /** Whether it can take another call. */
  get isUsable(): boolean {
    return this.host.isUsable && this.host.pending.length === 0;
  }

  async call(request: object, signal: AbortSignal): Promise<TracedReply> {
    const answer = await this.host.call(request, signal).catch((error: Error) => {
      if (error instanceof HostError) {
        this.inputs?.add(undefined);
        throw this.agentError(error, signal);
      }
      throw error instanceof RangeError ? tooDeepError(error) : error;
    });
    this.inputs?.add(answer);
    if (ownValue(answer, 'busy') === true) this.isAtWork = true;
    return readAnswer(answer, this.host.takePrinted());
  }

  stop(): Promise<void> {
    return this.host.stop();
  }

  async retire(): Promise<void> {
    // Threads may have read since the last reply.
    if (this.inputs !== undefined && this.isUsable)
      await this.call({ inputs: true }, AbortSignal.timeout(END_LIMIT_MS)).catch(() => {});
    await this.host.retire();
  }

  private agentError({ reason, message, said, cause }: HostError, signal: AbortSignal): AgentError {
    const who = `the agent ${message}`;
    switch (reason) {
      case 'aborted':
        return stoppedError(signal, this.host.takePrinted());
      case 'flooded':
        return new AgentError('limit', `${who} in one step`);
      case 'unreadable':
        return new AgentError('contract', `the agent's reply cannot be read: ${(cause as Error).message}`);
      case 'unexpected':
        return new AgentError('contract', who);
      default:
        return new AgentError('agent', `${who} in the middle of a step${said}`, {
          printed: this.host.takePrinted(),
        });
    }
  }
}

function readAnswer(answer: JsonObject, printed: string): TracedReply {
  const error = ownValue(answer, 'error');
  if (!isJsonObject(error)) {
    const reply = ownValue(answer, 'reply');
    const firstMs = ownValue(answer, 'first_ms');
    return {
      reply: typeof reply === 'string' ? (eventsIn(reply) ?? reply) : reply,
      printed,
      unreported: LEFT_OUT,
      timeToFirstTokenMs: typeof firstMs === 'number' ? firstMs : undefined,
      ...(ownValue(answer, 'flushed') === true && { isFlushed: true }),
    };
  }
  const { kind, message, facts } = error as unknown as PythonError;
  const details = { printed, refusedStatus: refusalOf(facts.refused) };
  if (kind !== 'load') throw new AgentError(kind, message, details);
  const failure = new PythonLoadError('agent', message, details);
  failure.facts = facts;
  throw failure;
}

interface PythonError {
  readonly kind: ErrorKind | 'load';
  readonly message: string;
  readonly facts: PythonLoadFacts & {
    readonly refused?: { readonly status: number; readonly url: string } | null;
  };
}

/** A tool of the agent may be refused too, which says nothing about the key of its model. */
function refusalOf(refused: PythonError['facts']['refused']): RefusedStatus | undefined {
  if (refused === null || refused === undefined || !URL.canParse(refused.url)) return undefined;
  return mayBeModelCall('POST', new URL(refused.url).pathname) ? refusedStatus(refused.status) : undefined;
}
