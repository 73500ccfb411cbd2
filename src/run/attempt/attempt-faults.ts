import { AgentError } from '../../agents/contract.ts';
import { FaultInjector } from '../../evidence/faults/fault-injector.ts';
import { faultyCall } from '../../base/model/fault.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { Attempt } from './attempt.ts';
import type { Transcript } from './transcript.ts';

/** Undefined: the test has no faults, or no agent is called that could meet them. */
export function createFaults({ test: { faults }, agent }: Attempt): FaultInjector | undefined {
  if (faults === undefined || faults.length === 0 || agent === undefined) return undefined;
  return new FaultInjector(faults);
}

/** Why the faults of a test cannot happen with its agent. */
export function faultObstacle({ agent, target }: Pick<Attempt, 'agent' | 'target'>): AgentError | undefined {
  if (agent?.modelCalls !== undefined) return undefined;
  return new AgentError(
    'fault',
    `the test has \`faults\`, but the model calls of "${target}" do not pass through Assay: set \`observe: true\` for the target or run with --observe, which needs an agent that Assay starts`,
  );
}

/** A fault that did not happen tested nothing: the attempt is an error, whatever the agent said. */
export function failWithoutFaults(faults: FaultInjector, transcript: Transcript): void {
  if (transcript.hasFailed) return;
  const missed = faults.missed();
  if (missed.length === 0) return;
  transcript.find(
    missed.map(({ fault: { place }, message }) => ({
      severity: 'warning',
      code: 'fault_missed',
      message,
      hint: 'change `call`, or remove the fault',
      file: place.file,
      line: place.line,
      column: place.column,
      path: 'faults',
    })),
  );
  transcript.fail(new AgentError('fault', missed.map(({ message }) => message).join('; ')));
}

/**
 * An agent that fails at a fault is not a victim of the network: it is not tried again, which would hide what the test is about. Where
 * Assay makes the model calls itself, trying again is what it would do.
 */
export function blameAgent(
  error: unknown,
  {
    faults,
    attempt,
  }: { readonly faults: FaultInjector | undefined; readonly attempt: Pick<Attempt, 'agent'> },
): unknown {
  const fault = faults?.lastFault;
  const isBlamed =
    fault !== undefined &&
    error instanceof AgentError &&
    error.kind === 'infrastructure' &&
    attempt.agent?.modelCalls !== 'own';
  if (!isBlamed) return error;
  const { message, printed, cause, observed } = error;
  return new AgentError(
    'agent',
    `${message}\n(after the fault at ${faultyCall(fault)}: ${printJson(fault.do)})`,
    { printed, cause, observed },
  );
}
