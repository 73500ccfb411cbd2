import { availableParallelism } from 'node:os';
import type { ApprovalAnswer } from '../../base/model/approval.ts';
import { isJsonObject, ownValue, type JsonObject } from '../../base/model/json.ts';
import { monotonicMs, startTimer, stopTimer } from '../../base/system/system-time.ts';
import { acpToolName } from '../../evidence/dialects/acp-updates.ts';
import { listAt, numberAt, objectAt, textAt, valueAt } from '../../evidence/foreign-fields.ts';
import {
  AgentError,
  passesCalls,
  type Agent,
  type OpenOptions,
  type RawReply,
  type Session,
} from '../contract.ts';
import { ModelCallWatch, type RunProgram } from '../model-call-watch.ts';
import { stoppedError } from '../stopped-error.ts';
import { startIn } from '../workspace/start-in.ts';
import { AcpConnection } from './acp-connection.ts';
import { filesOf } from './acp-files.ts';
import type { CodingAgentOptions } from './coding-agent.ts';

export interface AcpAgentOptions extends Omit<CodingAgentOptions, 'allowedTools' | 'args'> {
  readonly mode?: string | undefined;
  /** The id of a way to log in. */
  readonly auth?: string | undefined;
}

/** A program that speaks ACP: one process and one ACP session for each session of Assay. */
export function createAcpAgent(options: AcpAgentOptions): Agent {
  const { name, workers = availableParallelism(), env, observe = false } = options;
  const watch = observe === false ? undefined : new ModelCallWatch(env, observe);
  const open = new Set<AcpSession>();
  return {
    name,
    workers,
    modelCalls: passesCalls(observe) ? 'observed' : undefined,
    asksApproval: true,
    seesFirstCall: true,
    sealing: 'coding',
    async open(_test, opening) {
      const session = new AcpSession(options, opening);
      open.add(session);
      const watched = await watch?.openSession(opening, session.send);
      return {
        send: (request, signal) => watched?.send(request, signal) ?? session.send(request, { env, signal }),
        async close() {
          open.delete(session);
          await session.close();
          await watched?.close();
        },
      } satisfies Session;
    },
    async close() {
      await Promise.all([...open].map((session) => session.close()));
      await watch?.close();
    },
  };
}

class AcpSession {
  private readonly options: AcpAgentOptions;
  private readonly opening: OpenOptions | undefined;
  private connection: AcpConnection | undefined;
  private sessionId = '';
  private begun: Promise<void> | undefined;
  private updates: JsonObject[] = [];
  /** Of the session, as far as it was reported. */
  private costUsd: number | undefined;
  private costBefore = 0;
  private isClosed = false;
  private onFirstCall: (() => void) | undefined;

  constructor(options: AcpAgentOptions, opening: OpenOptions | undefined) {
    this.options = options;
    this.opening = opening;
  }

  readonly send: RunProgram = async ({ input }, { env, signal }) => {
    if (signal.aborted) throw stoppedError(signal);
    this.updates = [];
    const limit = limitStep(signal, this.options.timeoutMs);
    const firstCall = new Promise<JsonObject>((resolve) => {
      this.onFirstCall = () => resolve(STOPPED);
    });
    const turn = async (): Promise<JsonObject> => {
      await (this.begun ??= this.begin(env));
      const prompt = [{ type: 'text', text: input }];
      const end = this.connection!.request('session/prompt', { sessionId: this.sessionId, prompt });
      return Promise.race([end, firstCall]);
    };
    try {
      const end = await Promise.race([turn(), limit.passed]);
      return {
        ...this.take(end),
        printed: this.connection!.takePrinted(),
        ...(end === STOPPED && { unfinished: 'first_tool_call' as const }),
      };
    } catch (error) {
      this.connection?.notify('session/cancel', { sessionId: this.sessionId });
      await this.stop();
      throw error;
    } finally {
      limit.clear();
    }
  };

  async close(): Promise<void> {
    this.isClosed = true;
    await this.stop();
  }

  private take(end: JsonObject | undefined): Pick<RawReply, 'reply' | 'model'> {
    const items = this.updates;
    this.updates = [];
    const isCosted = this.costUsd !== undefined;
    const cost_usd = isCosted ? Math.max(0, this.costUsd! - this.costBefore) : undefined;
    this.costBefore = this.costUsd ?? 0;
    const last = { sessionId: this.sessionId, ...end, ...(isCosted && { cost_usd: cost_usd! }) };
    return { reply: [...items, last], model: this.options.model };
  }

  private async begin(env: NodeJS.ProcessEnv): Promise<void> {
    const { command, model, mode, auth } = this.options;
    const workspace = this.opening?.workspace;
    const given = { argv: command, env: { ...env, PWD: this.options.cwd }, cwd: this.options.cwd };
    const { cwd, ...started } = await startIn(workspace, given);
    const connection = await AcpConnection.start(
      command,
      { ...started, cwd },
      {
        onUpdate: (params) => this.update(params),
        onPermission: (params) => this.permit(params),
        files: workspace && filesOf(workspace),
      },
    );
    this.connection = connection;
    workspace?.keep(connection.group);
    if (this.isClosed) return connection.group.stop();
    await connection.initialize();
    if (auth !== undefined) await connection.request('authenticate', { methodId: auth });
    const session = await connection.request('session/new', { cwd, mcpServers: [] });
    const id = textAt(session, 'sessionId');
    if (id === undefined) throw connection.errorOf('contract', 'answered session/new without a `sessionId`');
    this.sessionId = id;
    if (model !== undefined) await this.choose(session, { category: 'model', value: model });
    if (mode !== undefined) await this.choose(session, { category: 'mode', value: mode });
  }

  /** A newer agent has config options, an older one lists of models and modes. */
  private async choose(
    session: JsonObject,
    { category, value }: { readonly category: 'model' | 'mode'; readonly value: string },
  ): Promise<void> {
    const { sessionId } = this;
    const option = (listAt(session, 'configOptions') ?? [])
      .filter(isJsonObject)
      .find((each) => textAt(each, 'category') === category || textAt(each, 'id') === category);
    if (option !== undefined) {
      const configId = textAt(option, 'id')!;
      await this.connection!.request('session/set_config_option', { sessionId, configId, value });
    } else if (objectAt(session, `${category}s`) !== undefined)
      await this.connection!.request(`session/set_${category}`, { sessionId, [`${category}Id`]: value });
    else
      throw this.connection!.errorOf(
        'config',
        `lets no client choose the ${category}: remove \`${category}\`, and set it in the program or its arguments`,
      );
  }

  private update(params: JsonObject): void {
    this.updates.push({ ...params, at_ms: Math.round(monotonicMs()) });
    const update = objectAt(params, 'update') ?? {};
    const cost = objectAt(update, 'cost');
    if (cost !== undefined && textAt(cost, 'currency') === 'USD') this.costUsd = numberAt(cost, 'amount');
    if (this.opening?.stopAfterFirstCall === true && isRequestedCall(update)) this.stopHere();
  }

  private async permit(params: JsonObject): Promise<JsonObject> {
    const asked = objectAt(params, 'toolCall') ?? {};
    // It may be the only thing that tells of the call.
    this.update({ sessionId: this.sessionId, update: { sessionUpdate: 'tool_call_update', ...asked } });
    if (this.opening?.stopAfterFirstCall === true) {
      this.stopHere();
      return CANCELLED;
    }
    const id = textAt(asked, 'toolCallId');
    const known = this.updates.flatMap((item) => {
      const update = objectAt(item, 'update');
      return update !== undefined && textAt(update, 'toolCallId') === id ? [update] : [];
    });
    const call = Object.assign({}, ...known, { first: known[0] ?? {} }) as JsonObject;
    const { approve } = this.opening ?? {};
    if (approve === undefined) return CANCELLED;
    const answer = await approve({
      tool: acpToolName(call),
      input: valueAt(call, 'rawInput'),
      id,
      message: textAt(asked, 'title'),
    });
    return { outcome: { outcome: 'selected', optionId: this.optionFor(answer, params) } };
  }

  private optionFor(answer: ApprovalAnswer, params: JsonObject): string {
    const options = (listAt(params, 'options') ?? []).filter(isJsonObject);
    const wanted = WANTED[answer.do];
    const value = answer.do === 'answer' ? answer.answer : undefined;
    const choice = isJsonObject(value ?? null) ? ownValue(value as JsonObject, 'option') : value;
    const found =
      answer.do === 'answer'
        ? options.find((each) => textAt(each, 'optionId') === choice || textAt(each, 'name') === choice)
        : wanted
            .map((kind) => options.find((each) => textAt(each, 'kind') === kind))
            .find((each) => each !== undefined);
    const id = found === undefined ? undefined : textAt(found, 'optionId');
    if (id !== undefined) return id;
    const names = options.map((each) => textAt(each, 'optionId', 'name')).join(', ');
    const error = this.connection!.errorOf(
      'contract',
      `offers no option for ${answer.do === 'answer' ? JSON.stringify(choice) : `"${answer.do}"`}: its options are ${names || 'none'}`,
    );
    this.connection!.fail(error);
    throw error;
  }

  /** What matters is known. The agent learns that nobody waits any more. */
  private stopHere(): void {
    this.onFirstCall?.();
    this.connection?.notify('session/cancel', { sessionId: this.sessionId });
  }

  private async stop(): Promise<void> {
    await this.connection?.group.stop();
  }
}

/** Rejects when the step must end: its signal was aborted, or its own time is over. */
function limitStep(
  signal: AbortSignal,
  timeoutMs: number | undefined,
): { readonly passed: Promise<never>; clear(): void } {
  let clear!: () => void;
  const passed = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(stoppedError(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    const timer =
      timeoutMs === undefined
        ? undefined
        : startTimer(
            () => reject(new AgentError('timeout', `the agent took longer than ${timeoutMs / 1000} s`)),
            timeoutMs,
          );
    clear = () => {
      stopTimer(timer);
      signal.removeEventListener('abort', onAbort);
    };
  });
  passed.catch(() => {});
  return { passed, clear };
}

/** The end of a turn that Assay did not wait for. */
const STOPPED = { stopReason: 'end_turn' };
const CANCELLED = { outcome: { outcome: 'cancelled' } };

/** Once before always: each request is evidence. */
const WANTED = {
  allow: ['allow_once', 'allow_always'],
  deny: ['reject_once', 'reject_always'],
  answer: [],
} as const;

/** Agents that stream report a call before they know its arguments. */
function isRequestedCall(update: JsonObject): boolean {
  const kind = textAt(update, 'sessionUpdate');
  if (kind !== 'tool_call' && kind !== 'tool_call_update') return false;
  const input = valueAt(update, 'rawInput');
  const hasInput = isJsonObject(input ?? null)
    ? Object.keys(input as JsonObject).length > 0
    : input !== undefined;
  return hasInput || ['in_progress', 'completed', 'failed'].includes(textAt(update, 'status') ?? '');
}
