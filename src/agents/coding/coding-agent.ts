import { availableParallelism } from 'node:os';
import { recognise } from '../../evidence/recognise.ts';
import type { JsonObject } from '../../base/model/json.ts';
import { lastLines } from '../processes/capture.ts';
import type { ProcessOptions } from '../processes/process-group.ts';
import { describeExit } from '../processes/run-process.ts';
import { AgentPrograms, type Exited } from '../agent-programs.ts';
import { AgentError, passesCalls, telemetryOf, type Agent, type Observing } from '../contract.ts';
import { refuseInvalid } from '../reply-text.ts';
import { ModelCallWatch, type RunProgram } from '../model-call-watch.ts';
import type { CodingProgram } from './coding-program.ts';
import { readServerNames } from './mcp-servers.ts';
import { programFailure } from './program-failure.ts';
import { readEventLines } from './read-event-lines.ts';

export interface CodingAgentOptions extends ProcessOptions {
  readonly name: string;
  /** The program, and what must stand before its arguments. */
  readonly command: readonly string[];
  readonly model?: string | undefined;
  readonly allowedTools?: readonly string[] | undefined;
  readonly args: readonly string[];
  readonly timeoutMs?: number | undefined;
  readonly workers?: number | undefined;
  /** Whether its model calls are watched. Default: false. */
  readonly observe?: Observing | undefined;
}

/** A coding agent, started once per step. A session of Assay is a session of the program. */
export function createCodingAgent(program: CodingProgram, options: CodingAgentOptions): Agent {
  const { name, workers = availableParallelism(), env, observe = false } = options;
  const programs = new AgentPrograms();
  const watch = observe === false ? undefined : new ModelCallWatch(env, observe);
  return {
    name,
    workers,
    modelCalls: passesCalls(observe) ? 'observed' : undefined,
    open(_test, opening) {
      const run = createConversation(program, options, programs);
      return (
        watch?.openSession(opening, run) ?? {
          send: (request, signal) => run(request, { env, signal }),
          close: () => {},
        }
      );
    },
    async close() {
      await programs.close();
      await watch?.close();
    },
  };
}

/** Runs the program for one step after another, in one session of its own. */
function createConversation(
  program: CodingProgram,
  options: CodingAgentOptions,
  programs: AgentPrograms,
): RunProgram {
  const { command, cwd, timeoutMs, model } = options;
  let isBegun = false;
  let sessionId: string | undefined;
  let totals: readonly JsonObject[] = [];
  return async ({ input }, { env, signal }) => {
    if (isBegun && sessionId === undefined) throw noSession(program);
    const isTraced = telemetryOf(options.observe) !== undefined;
    const telemetry = isTraced ? env['OTEL_EXPORTER_OTLP_ENDPOINT'] : undefined;
    const start = { ...options, env, sessionId, telemetry };
    const exited = await programs.run([...command, ...program.args(start)], {
      cwd,
      // opencode takes its folder from PWD, as a shell would have set it.
      env: { ...env, PWD: cwd, ...program.env?.(start) },
      input,
      signal,
      timeoutMs,
    });
    const { events, printed } = readStep(program, exited, input);
    const reply = [...totals, ...events];
    isBegun = true;
    sessionId = recognise(reply, { input })?.session_id;
    totals = [events.findLast((event) => program.isTotal?.(event)) ?? totals].flat();
    const { servers } = program;
    const mcpServers = servers === undefined ? [] : await readServerNames(servers, { cwd, env });
    return { reply, printed, model, mcpServers };
  };
}

interface Step {
  readonly events: readonly JsonObject[];
  readonly printed: string;
}

/** The events of a step that ended well. Throws an AgentError for every other. */
function readStep(program: CodingProgram, exited: Exited, input: string): Step {
  const { events: all, rest, broken } = readEventLines(exited.stdout);
  const events = program.oneTurn?.(all) ?? all;
  const printed = rest + exited.stderr;
  const said = lastLines(exited.stderr) || lastLines(rest);
  const trace = recognise(events, { input });
  const problem = describeExit(exited);
  const failure = trace?.output === undefined ? trace?.failure : undefined;
  if (problem !== undefined || failure !== undefined)
    throw programFailure(program, { what: problem ?? 'failed', said: failure ?? said, printed });
  refuseInvalid(exited);
  const contractError = (what: string): AgentError =>
    new AgentError('contract', `${program.program} ${what}${said === '' ? '' : `:\n${said}`}`, { printed });
  if (broken !== undefined) throw contractError('broke off in the middle of an event');
  if (events.length === 0) throw contractError('exited with code 0 and printed no events');
  if (trace === undefined) throw contractError('printed events that Assay does not know');
  if (!program.isEnded(events)) throw contractError('broke off: the turn has no end in its events');
  return { events, printed };
}

function noSession({ program }: CodingProgram): AgentError {
  return new AgentError(
    'contract',
    `${program} named no session in its events, so the next step cannot continue it`,
  );
}
