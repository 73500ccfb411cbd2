import { inspect } from 'node:util';
import { hasCalledAgent, isGuarding } from '../agents/function-call.ts';
import type { Output } from './command.ts';
import { complain } from './complain.ts';

/** What an agent leaves behind may throw after its last call: it is said, and the verdicts stand. A defect of ours ends us. */
export function watchLateErrors(stderr: Output, onDefect: (error: unknown) => void): void {
  process.on('uncaughtException', (error) => {
    if (!hasCalledAgent()) onDefect(error);
    else if (!isGuarding())
      void complain(stderr, `the agent left an error behind that nobody caught: ${inspect(error)}`);
  });
}
