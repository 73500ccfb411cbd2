import { resolve } from 'node:path';
import { findProgram } from '../processes/find-program.ts';
import type { ProcessOptions } from '../processes/process-group.ts';
import { splitWords } from '../processes/split-words.ts';
import { findAgentFile, isFile, isFolder, splitAgentFile } from '../agent-file.ts';
import { AgentSetupError } from '../agent-setup-error.ts';
import { telemetryOf } from '../contract.ts';
import { createFunctionAgent } from '../function-agent.ts';
import { usesHosts } from '../host/uses-hosts.ts';
import { AGENT_TARGET, agentTarget, agentText, isAgentTarget } from './agent-target.ts';
import { defineTargetKind } from './target-kind.ts';

/** `agent: ./agent.ts`, or a function. Last of the kinds that `agent` may name: it explains a text that is none of them. */
export const functionFile = defineTargetKind({
  name: 'function file',
  keys: ['agent'],
  schema: agentTarget,
  when: AGENT_TARGET,
  matches: isAgentTarget,
  async create(target, place) {
    const { observe } = place;
    const { agent, name: targetName, workers } = target;
    const isTraced = telemetryOf(observe) !== undefined;
    if (isTraced && (typeof agent === 'function' || !isIsolated(target, place.variables)))
      throw new AgentSetupError(
        `${targetName}: the telemetry of a function in Assay's own process cannot be read`,
        {
          hint: 'give the file of the agent (`agent: ./agent.ts`), without `isolate: false`',
        },
      );
    if (typeof agent === 'function')
      return createFunctionAgent(agent, { name: targetName, workers, observe });
    const name = agentText(target);
    const { file, functionName } = splitAgentFile(name) ?? {};
    if (file === undefined)
      throw new AgentSetupError(`${JSON.stringify(name)} is not an agent`, { hint: hintFor(name, place) });
    const path = findAgentFile(file, place.cwd);
    const { cwd, projectRoot: root = cwd } = place;
    const options = { name, exportName: functionName, root, observe };
    const { variables = {}, seesInputs } = place;
    if (isIsolated(target, variables)) {
      const { createHostAgent } = await import('../host/host-agent.ts');
      const env = { ...process.env, ...variables };
      return createHostAgent(path, { ...options, cwd: process.cwd(), env, seesInputs });
    }
    const { loadFunctionAgent } = await import('../load-function-agent.ts');
    return loadFunctionAgent(path, options);
  },
  startsProgram: ({ agent, isolate }) => typeof agent === 'string' && isolate !== false,
  code(target) {
    const split = splitAgentFile(agentText(target));
    return split === undefined
      ? []
      : [{ file: split.file, part: split.part, isLoadedHere: !isIsolated(target) }];
  },
  examples: [{ name: 'function', agent: './agent.ts' }],
});

/** A host is also what gives a variant variables of its own. */
function isIsolated(
  { isolate }: { readonly isolate?: boolean },
  variables: Readonly<Record<string, string | undefined>> = {},
): boolean {
  return isolate ?? (usesHosts() || Object.keys(variables).length > 0);
}

function hintFor(name: string, place: ProcessOptions): string {
  const usual =
    'an agent is a file (./agent.ts, ./agent.py), a URL (https://...) or a program ("cmd: ./my-agent")';
  if (name === '') return usual;
  if (/^[\w.-]+:\d+(\/|$)/.test(name)) return `did you mean http://${name}?`;
  const [program = ''] = splitWords(name) ?? [];
  if (findProgram(program, place) !== undefined) return `did you mean "cmd: ${name}"?`;
  if (isFile(resolve(place.cwd, name)))
    return `${usual}; this file is none of these; if it is a program, write "cmd: ./${name}"`;
  if (isFolder(resolve(place.cwd, name))) return `it is a folder; ${usual}`;
  return usual;
}
