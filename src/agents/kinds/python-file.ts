import { findAgentFile, splitAgentFile } from '../agent-file.ts';
import { agentTarget, agentText, isAgentTarget } from './agent-target.ts';
import { defineTargetKind } from './target-kind.ts';

/** `agent: ./agent.py`: a function of a Python file. */
export const pythonFile = defineTargetKind({
  name: 'python file',
  keys: ['agent'],
  schema: agentTarget,
  matches: (target) =>
    isAgentTarget(target) && splitAgentFile(agentText(target))?.file.endsWith('.py') === true,
  async create(target, place) {
    const name = agentText(target);
    const { file, functionName } = splitAgentFile(name)!;
    const path = findAgentFile(file, place.cwd);
    const { createPythonAgent } = await import('../python-agent.ts');
    return createPythonAgent(path, { ...place, name, functionName });
  },
  startsProgram: () => true,
  code(target) {
    const { file, part } = splitAgentFile(agentText(target))!;
    return [{ file, part, isLoadedHere: false }];
  },
  examples: [{ name: 'python', agent: './agent.py' }],
});
