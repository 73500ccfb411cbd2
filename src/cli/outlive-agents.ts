import { inspect } from 'node:util';
import { forgetCalls, hasCalledAgent, isGuarding } from '../agents/function-call.ts';
import { guardEnds } from '../agents/process-ends.ts';
import { blameEvaluator, forgetEvaluatorFiles, whoStrayed } from '../agents/stray-errors.ts';
import type { Output } from './command.ts';
import { printError } from './print-error.ts';

/**
 * Only Assay decides how a command ends. Leftovers of an agent may throw, or end the process, after nobody waits
 * for them any more; so may a config or an agent's file while it is loaded. That is reported, and the verdicts
 * stand. An uncaught error before any agent was called is a bug in Assay. Until the returned function is called.
 */
export function outliveAgents(stderr: Output, onDefect: (error: unknown) => void): () => void {
  const onUncaught = (error: unknown): void => {
    if (!hasCalledAgent()) return onDefect(error);
    if (isGuarding()) return;
    const stray = blameEvaluator(error, { isAgentBusy: false });
    const who = stray === undefined ? 'the agent' : whoStrayed(stray);
    void printError(stderr, `${who} caused an uncaught error: ${inspect(error)}`);
  };
  process.on('uncaughtException', onUncaught);
  const allowEnds = guardEnds((call) => {
    throw new Error(
      `${call} was called and ignored: agents, configs and evaluators must return or throw instead`,
    );
  });
  return () => {
    forgetEvaluatorFiles();
    process.off('uncaughtException', onUncaught);
    if (forgetCalls()) allowEnds();
    // An agent that goes on must not end the process later.
    else process.on('uncaughtException', onUncaught);
  };
}
