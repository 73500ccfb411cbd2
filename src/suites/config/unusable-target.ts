import { AgentSetupError } from '../../agents/agent-setup-error.ts';
import type { Agent } from '../../agents/contract.ts';
import { allTargets, isNameless } from './find-target.ts';
import { fileForHints, type JoinedConfig } from './join-configs.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import { baseName } from './target-variants.ts';
import { TargetError } from './target-error.ts';

/** In one string: a record has no field for findings of a config. */
export function explainTargetError(error: TargetError | AgentSetupError): string {
  if (error instanceof AgentSetupError) return error.message;
  const finding = error.findings.find(({ severity }) => severity === 'error');
  const where =
    finding === undefined ? '' : `${finding.file}:${finding.line}:${finding.column}: ${finding.message}`;
  const hint = finding === undefined ? error.hint : finding.hint;
  return [error.message, where, hint].filter((part) => part !== undefined && part !== '').join(': ');
}

/** With the name of the target, where a run has several and its message names none. */
export function nameTarget(error: Error, name: string): Error {
  if (!(error instanceof AgentSetupError) || error.message.includes(`"${name}"`)) return error;
  return new AgentSetupError(`the target "${name}" cannot be used: ${error.message}`, { cause: error });
}

/** Stands for an agent that runs on other machines. */
export function absentAgent(name: string): Agent {
  return {
    name,
    workers: 1,
    open: () => Promise.reject(new Error(`the agent ${name} is not on this machine`)),
    close: async () => {},
  };
}

/** No target runs a suite, or none of the name it wants. */
export function noTarget(file: string, wanted: string | undefined, joined: JoinedConfig): TargetError {
  const targets = allTargets(joined.config!);
  // A target with a misspelled `name` may be the one.
  const findings = joined.files.flatMap(({ loaded }) =>
    [...loaded.targetFindings].flatMap(([name, found]) => (isNameless(name) ? found : [])),
  );
  const names = targets.map(({ name }) => JSON.stringify(name)).join(', ');
  const { configFile: place } = fileForHints(joined);
  if (wanted === undefined) {
    const hint =
      targets.length === 0
        ? `add \`--agent ./agent.ts\` (or \`./agent.py\`), or set the agent in ${place}: \`agent: ./agent.ts\``
        : `add \`--target ${targets[0]!.name}\`, or name one of them \`default\` in ${place}: \`name: default\`; the targets are ${names}`;
    return new TargetError(`which agent should run ${file}?`, { hint, findings });
  }
  const near = didYouMean(wanted, [...new Set(targets.flatMap((target) => [target.name, baseName(target)]))]);
  const hint =
    targets.length === 0
      ? `name it in ${place}, under \`targets\``
      : (near ?? (targets.length === 1 ? `the only target is ${names}` : `use one of ${names}`));
  return new TargetError(`unknown target "${wanted}" for ${file}`, { hint, findings });
}
