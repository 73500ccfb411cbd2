import { createCommandAgent } from '../agents/command-agent.ts';
import type { Agent } from '../agents/contract.ts';
import { createFunctionAgent } from '../agents/function-agent.ts';
import { createHttpAgent } from '../agents/http-agent.ts';
import { createAgent } from '../agents/parse-agent.ts';
import type { TargetConfig } from './config.ts';

/** The agent a target describes. Paths are relative to the config's folder. */
export async function createTargetAgent(target: TargetConfig, folder: string): Promise<Agent> {
  const agent = await create(target, folder);
  const { name } = target;
  const workers = target.workers ?? agent.workers;
  return { name, workers, open: (test) => agent.open(test), close: () => agent.close() };
}

async function create(target: TargetConfig, folder: string): Promise<Agent> {
  const { name, agent, command, url, workers } = target;
  const place = { cwd: folder, env: process.env };
  if (typeof agent === 'function') return createFunctionAgent(agent, { name, workers });
  if (command !== undefined) return createCommandAgent(command, { ...place, name });
  if (url !== undefined) return createHttpAgent({ ...target, url, name, ...place });
  return createAgent(agent!, place);
}
