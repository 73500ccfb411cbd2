import { AgentError } from '../../agents/contract.ts';
import { FORWARD, type BeforeCall } from '../../evidence/observe/before-call.ts';
import { useOfExchange } from '../../evidence/wire/use-of-exchange.ts';
import type { Attempt } from './attempt.ts';

/** Ends an attempt at the first tool call that a model asks for: the next model call is refused. */
export class FirstMove {
  /** A call was refused: what was seen before it is all there is. */
  hasStopped = false;

  readonly beforeCall: BeforeCall = ({ isModelCall }, before) => {
    const isDecided = before.some(
      (exchange) => exchange !== undefined && (useOfExchange(exchange)?.tool_calls.length ?? 0) > 0,
    );
    if (!isModelCall || !isDecided) return FORWARD;
    this.hasStopped = true;
    return { do: 'refuse', kind: 'limit', message: 'the test ends at the first tool call (`stop_after`)' };
  };
}

/** Why an attempt cannot end there. */
export function firstMoveObstacle({
  agent,
  target,
}: Pick<Attempt, 'agent' | 'target'>): AgentError | undefined {
  if (agent?.modelCalls !== undefined || agent?.seesFirstCall === true) return undefined;
  return new AgentError(
    'config',
    `the test has \`stop_after\`, but Assay does not see the model calls of "${target}": set \`observe: true\` for the target or run with --observe, which needs an agent that Assay starts`,
  );
}
