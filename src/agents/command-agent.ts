import { availableParallelism } from 'node:os';
import { lastLines } from './processes/capture.ts';
import type { ProcessOptions } from './processes/process-group.ts';
import { StdinWatch } from './processes/stdin-watch.ts';
import { describeExit } from './processes/run-process.ts';
import { AgentPrograms, type Exited } from './agent-programs.ts';
import { AgentError, passesCalls, type Agent, type Observing } from './contract.ts';
import { ModelCallWatch, type RunProgram } from './model-call-watch.ts';
import { printRequest } from './print-request.ts';
import { unreadInput } from '../evidence/reply/reply-warning.ts';
import { printedReply } from './reply-text.ts';
import { readPrintedReply } from '../evidence/reply/read-printed-reply.ts';

export interface CommandAgentOptions extends ProcessOptions {
  readonly name: string;
  readonly workers?: number | undefined;
  /** Whether its model calls are watched. Default: false. */
  readonly observe?: Observing | undefined;
}

/** A program that is run once per step, without a shell: the request is on its stdin, the reply on its stdout. */
export function createCommandAgent(
  argv: readonly string[],
  { name, workers = availableParallelism(), cwd, env, observe = false }: CommandAgentOptions,
): Agent {
  const programs = new AgentPrograms();
  const stdinWatch = new StdinWatch();
  const watch = observe === false ? undefined : new ModelCallWatch(env, observe);
  const run: RunProgram = async (request, options) => {
    const input = `${printRequest(request)}\n`;
    const exited = await programs.run(argv, { cwd, input, stdinWatch, ...options });
    const problem = describeExit(exited);
    if (problem !== undefined) throw exitError(problem, exited);
    const read = readPrintedReply(printedReply(exited), { verb: 'printed', printed: exited.stderr });
    return exited.isInputRead === false ? { ...read, warning: unreadInput() } : read;
  };
  return {
    name,
    workers,
    modelCalls: passesCalls(observe) ? 'observed' : undefined,
    open: (_test, options) =>
      watch?.openSession(options, run) ?? {
        send: (request, signal) => run(request, { env, signal }),
        close: () => {},
      },
    async close() {
      await programs.close();
      await stdinWatch.close();
      await watch?.close();
    },
  };
}

function exitError(problem: string, { stdout, stderr }: Exited): AgentError {
  const said = lastLines(stderr) || lastLines(stdout);
  return new AgentError(
    'agent',
    `the agent ${problem}${said === '' ? ' and printed nothing' : `:\n${said}`}`,
    {
      printed: stderr,
    },
  );
}
