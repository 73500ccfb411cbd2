import type { Agent } from '../../src/agents/contract.ts';
import { createTargetAgent } from '../../src/suites/config/target-agent.ts';

/** The agent that `--agent` names. */
export function createAgent(
  agent: string,
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Agent> {
  return createTargetAgent({ name: agent.trim() || 'none', agent }, { folder: cwd, env });
}
