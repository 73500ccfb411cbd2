import { resolve } from 'node:path';
import { findProgram } from '../../processes/find-program.ts';
import type { ProcessOptions } from '../../processes/process-group.ts';
import { splitWords } from '../../processes/split-words.ts';
import { findAgentFile, isFile, isFolder, splitAgentFile } from '../agent-file.ts';
import { AgentSetupError } from '../agent-setup-error.ts';
import { createFunctionAgent } from '../function-agent.ts';
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
    if (typeof agent === 'function')
      return createFunctionAgent(agent, { name: targetName, workers, observe });
    const name = agentText(target);
    const { file, functionName } = splitAgentFile(name) ?? {};
    if (file === undefined)
      throw new AgentSetupError(`${JSON.stringify(name)} is not an agent`, { hint: hintFor(name, place) });
    const path = findAgentFile(file, place.cwd);
    const { cwd, projectRoot: root = cwd } = place;
    const options = { name, exportName: functionName, root, observe };
    if (isIsolated(target)) {
      const { createHostAgent } = await import('../host/host-agent.ts');
      const { seesInputs } = place;
      return createHostAgent(path, { ...options, cwd: process.cwd(), env: process.env, seesInputs });
    }
    const { loadFunctionAgent } = await import('../load-function-agent.ts');
    return loadFunctionAgent(path, options);
  },
  code(target) {
    const split = splitAgentFile(agentText(target));
    return split === undefined
      ? []
      : [{ file: split.file, part: split.part, isLoadedHere: !isIsolated(target) }];
  },
  examples: [
    { name: 'function', agent: './agent.ts' },
    { name: 'isolated', agent: './agent.ts', isolate: true },
  ],
});

function isIsolated({ isolate }: { readonly isolate?: boolean }): boolean {
  return isolate ?? process.env['ASSAY_ISOLATE'] === 'true';
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
