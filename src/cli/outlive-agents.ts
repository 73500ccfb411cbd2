import { inspect } from 'node:util';
import { hasCalledAgent, isGuarding } from '../agents/function-call.ts';
import { guardEnds } from '../agents/process-ends.ts';
import type { Output } from './command.ts';
import { printError } from './print-error.ts';

/**
 * How a command ends is ours to say. What an agent leaves behind may throw, or end the process, when nobody waits for
 * it any more, and a config or an agent's file while it is loaded: it is said, and the verdicts stand. An error nobody
 * caught before any agent was asked is a defect of ours.
 */
export function outliveAgents(stderr: Output, onDefect: (error: unknown) => void): void {
  process.on('uncaughtException', (error) => {
    if (!hasCalledAgent()) onDefect(error);
    else if (!isGuarding())
      void printError(stderr, `the agent left an error behind that nobody caught: ${inspect(error)}`);
  });
  guardEnds((call) => {
    throw new Error(`${call} was called: agents and configs return or throw`);
  });
}
