import { availableParallelism } from 'node:os';
import { lastLines } from '../processes/capture.ts';
import type { ProcessOptions } from '../processes/process-group.ts';
import { describeExit } from '../processes/run-process.ts';
import { AgentPrograms, type Exited } from './agent-programs.ts';
import { AgentError, type Agent, type Session } from './contract.ts';
import { printRequest } from './print-request.ts';
import { readPrintedReply } from './read-printed-reply.ts';

export interface CommandAgentOptions extends ProcessOptions {
  readonly name: string;
  readonly workers?: number | undefined;
}

/** A program that is run once per step, without a shell: the request is on its stdin, the reply on its stdout. */
export function createCommandAgent(
  argv: readonly string[],
  { name, workers = availableParallelism(), cwd, env }: CommandAgentOptions,
): Agent {
  const programs = new AgentPrograms();
  const session: Session = {
    async send(request, signal) {
      const input = `${printRequest(request)}\n`;
      const exited = await programs.run(argv, { cwd, env, input, signal });
      const problem = describeExit(exited);
      if (problem !== undefined) throw exitError(problem, exited);
      return readPrintedReply(exited.stdout, { verb: 'printed', printed: exited.stderr });
    },
    close: () => Promise.resolve(),
  };
  return { name, workers, open: () => Promise.resolve(session), close: () => programs.close() };
}

function exitError(problem: string, { stdout, stderr }: Exited): AgentError {
  const said = lastLines(stderr) || lastLines(stdout);
  return new AgentError('agent', `the agent ${problem}${said === '' ? ' and said nothing' : `:\n${said}`}`, {
    printed: stderr,
  });
}
