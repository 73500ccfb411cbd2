import { availableParallelism } from 'node:os';
import type { Json } from '../model/json.ts';
import type { AgentRequest } from '../model/reply.ts';
import { lastLines } from './capture.ts';
import { describeExit, runProcess, type Finished } from './child-process.ts';
import { AgentError, type Agent, type Answer, type Session } from './contract.ts';
import { parseReplyText } from './parse-reply-text.ts';
import { printRequest } from './print-request.ts';
import type { ProcessGroup, ProcessOptions } from './process-group.ts';

export interface CommandAgentOptions extends ProcessOptions {
  readonly name: string;
  readonly workers?: number | undefined;
}

/** A program that is run once per step, without a shell: the request is on its stdin, the reply on its stdout. */
export function createCommandAgent(argv: readonly string[], options: CommandAgentOptions): Agent {
  const sessions = new Set<CommandSession>();
  return {
    name: options.name,
    workers: options.workers ?? availableParallelism(),
    open() {
      const session = new CommandSession(argv, options);
      sessions.add(session);
      return Promise.resolve({
        send: (request, signal) => session.send(request, signal),
        async close() {
          await session.close();
          sessions.delete(session);
        },
      });
    },
    async close() {
      await Promise.all([...sessions].map((session) => session.close()));
    },
  };
}

class CommandSession implements Session {
  private readonly argv: readonly string[];
  private readonly options: ProcessOptions;
  private readonly groups: ProcessGroup[] = [];

  constructor(argv: readonly string[], { cwd, env }: ProcessOptions) {
    this.argv = argv;
    this.options = { cwd, env };
  }

  async send(request: AgentRequest, signal: AbortSignal): Promise<Answer> {
    const finished = await runProcess(this.argv, {
      ...this.options,
      input: `${printRequest(request)}\n`,
      signal,
      onStart: (group) => this.groups.push(group),
    });
    const problem = describeExit(finished);
    if (problem !== undefined) throw exitError(problem, finished);
    return { reply: readPrintedReply(finished.stdout), printed: finished.stderr };
  }

  async close(): Promise<void> {
    await Promise.all(this.groups.map((group) => group.stop()));
  }
}

function exitError(problem: string, { stdout, stderr }: Finished): AgentError {
  const said = lastLines(stderr) || lastLines(stdout);
  return new AgentError('agent', `the agent ${problem}${said === '' ? ' and said nothing' : `:\n${said}`}`, {
    printed: stderr,
  });
}

/** An object with one of the fields that say what was answered is a reply. Any other text is the answer itself, without its last newline. */
export function readPrintedReply(stdout: string): Json {
  const value = parseReplyText(stdout);
  if (value !== undefined && REPLY_FIELDS.some((field) => Object.hasOwn(value, field))) return value;
  return stdout.replace(/\r?\n$/, '');
}

const REPLY_FIELDS = ['output', 'text', 'output_messages'];
