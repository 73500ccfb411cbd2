import { availableParallelism } from 'node:os';
import type { AgentRequest } from '../base/model/reply.ts';
import { AgentSetupError } from './agent-setup-error.ts';
import {
  passesCalls,
  type Agent,
  type OpenOptions,
  type RawReply,
  type Session,
  type Observing,
} from './contract.ts';
import { ModelCallWatch, SessionWatch } from './model-call-watch.ts';
import type { TracedReply } from './send-traced.ts';
import type { ProcessOptions } from './processes/process-group.ts';
import { chooseInterpreter } from './processes/python-host.ts';
import { InputLog } from './input-log.ts';
import { PythonChild, PythonLoadError } from './python-child.ts';
import { explainPythonLoad } from './python-load-problem.ts';

export interface PythonAgentOptions extends ProcessOptions {
  readonly name: string;
  /** Another function than `agent`. */
  readonly functionName?: string | undefined;
  readonly workers?: number | undefined;
  /** Whether its model calls are watched. Default: false. */
  readonly observe?: Observing | undefined;
  /** Somebody wants to know which files of this project, and of what is outside, it uses. */
  readonly seesInputs?: boolean | undefined;
  readonly projectRoot?: string | undefined;
}

/** A function of a Python file, held by one python3 per open session. Throws an AgentSetupError when it cannot be loaded. */
export async function createPythonAgent(file: string, options: PythonAgentOptions): Promise<Agent> {
  const { name, functionName = 'agent', workers = availableParallelism(), cwd, env } = options;
  const interpreter = chooseInterpreter(env);
  const inputs = options.seesInputs === true ? new InputLog() : undefined;
  const root = inputs === undefined ? [] : [options.projectRoot ?? cwd];
  const pool = new PythonPool([interpreter, file, functionName, ...root], {
    cwd,
    env,
    inputs,
    observe: options.observe,
  });
  await tryOnce(pool, { name, interpreter });
  return {
    name,
    workers,
    modelCalls: passesCalls(options.observe) ? 'observed' : undefined,
    isFunction: true,
    ...(inputs !== undefined && { inputs: () => inputs.seen() }),
    open: async (test, opening) => new PythonSession(pool, await pool.take(test.file), opening),
    close: () => pool.close(),
  };
}

/** The child that showed that the module loads is the first one to be used. */
async function tryOnce(
  pool: PythonPool,
  { name, interpreter }: { readonly name: string; readonly interpreter: string },
): Promise<void> {
  let child: PythonChild;
  try {
    child = await pool.take(undefined);
  } catch (error) {
    const hint = 'install Python 3, or set ASSAY_PYTHON to its path';
    throw new AgentSetupError(`${name} needs ${interpreter}, but ${(error as Error).message}`, {
      hint,
      cause: error,
    });
  }
  try {
    await child.call({ load: true }, AbortSignal.timeout(LOAD_LIMIT_MS));
    pool.giveBack(child);
  } catch (error) {
    await child.stop();
    const { message } = error as Error;
    if (error instanceof PythonLoadError) throw explainPythonLoad(name, error);
    throw new AgentSetupError(`${name} cannot be loaded by ${interpreter}: ${message}`, { cause: error });
  }
}

const LOAD_LIMIT_MS = 120_000;

type Watched = Pick<PythonAgentOptions, 'observe'> & {
  readonly inputs?: InputLog | undefined;
};

/** Children that wait for the next session. */
class PythonPool {
  private readonly argv: readonly string[];
  private readonly options: ProcessOptions;
  readonly watch: ModelCallWatch | undefined;
  private readonly all = new Set<PythonChild>();
  private idle: PythonChild[] = [];

  constructor(argv: readonly string[], { observe = false, ...options }: ProcessOptions & Watched) {
    this.argv = argv;
    this.options = options;
    this.watch = observe === false ? undefined : new ModelCallWatch(options.env, observe);
  }

  /** One that has the module of this test file already, else any, else a new one. */
  async take(file: string | undefined): Promise<PythonChild> {
    const usable = this.idle.filter(({ isUsable }) => isUsable);
    const child = usable.findLast(({ lastFile }) => lastFile === file) ?? usable.at(-1);
    this.idle = usable.filter((each) => each !== child);
    if (child !== undefined) return child;
    const watched = await this.watch?.open();
    const started = await PythonChild.start(this.argv, {
      ...this.options,
      ...(watched && { env: watched.env }),
    });
    started.modelCalls = watched?.path;
    this.all.add(started);
    return started;
  }

  giveBack(child: PythonChild): void {
    if (child.isUsable) this.idle.push(child);
    else this.all.delete(child);
  }

  async close(): Promise<void> {
    this.idle = [];
    await Promise.all([...this.all].map((child) => child.retire()));
    await this.watch?.close();
  }
}

class PythonSession implements Session {
  private readonly pool: PythonPool;
  private child: PythonChild;
  private readonly watch: SessionWatch | undefined;

  constructor(pool: PythonPool, child: PythonChild, opening: OpenOptions | undefined) {
    this.pool = pool;
    this.child = child;
    this.watch = pool.watch === undefined ? undefined : new SessionWatch(opening);
  }

  async send(request: AgentRequest, signal: AbortSignal): Promise<RawReply> {
    if (!this.child.isUsable) await this.takeAnother(request);
    const { child, watch } = this;
    if (watch === undefined || child.modelCalls === undefined) return this.call(request, signal);
    const step = { step: request.step, signal };
    return watch.send(child.modelCalls, step, (ending, traceparent) =>
      this.call(request, ending, traceparent),
    );
  }

  async close(): Promise<void> {
    // A model call of a thread that is still at work would look like one of the next attempt.
    const isDone = this.watch === undefined || !this.child.isAtWork;
    if (this.child.isUsable && isDone) this.pool.giveBack(this.child);
    else await this.end(this.child);
  }

  private call(
    { input, memory, ...context }: AgentRequest,
    signal: AbortSignal,
    traceparent?: string,
  ): Promise<TracedReply> {
    const { file } = context.test;
    this.child.lastFile = file;
    return this.child.call({ file, input, memory, context, ...(traceparent && { traceparent }) }, signal);
  }

  private async takeAnother(request: AgentRequest): Promise<void> {
    const broken = this.child;
    this.child = await this.pool.take(request.test.file);
    await this.end(broken);
  }

  private async end(child: PythonChild): Promise<void> {
    await child.stop();
    child.modelCalls?.close();
    this.pool.giveBack(child);
  }
}
