import { relative, resolve } from 'node:path';
import type { AgentFunction } from '../agents/function-agent.ts';
import { isInside } from '../files/is-inside.ts';
import { hideCredentials } from '../match/url-credentials.ts';
import type { TargetConfig } from './config.ts';
import { readTarget } from './read-target.ts';
import { codeStarts } from './target-code.ts';

/** Variables stay names in it: a secret is no part of what a target is. Nor is the code of a function. */
export function identityOf(target: Partial<TargetConfig>): string {
  return JSON.stringify(target, (_key, value: unknown) => {
    if (typeof value === 'function') return `function ${value.name}`;
    return typeof value === 'bigint' ? String(value) : value;
  });
}

/** The same file is the same agent, wherever in the project the run is started. */
export function agentIdentity(agent: string | AgentFunction, cwd: string, projectRoot: string): string {
  if (typeof agent !== 'string') return identityOf({ agent });
  const target = { name: 'agent', agent };
  const start = codeStarts(target).find((each) => 'file' in each);
  if (start !== undefined) {
    const path = resolve(cwd, start.file);
    const shown = isInside(path, projectRoot) ? relative(projectRoot, path) : path;
    return identityOf({ agent: `${shown}${start.part}` });
  }
  // A password is a secret, and no part of what an agent is.
  const shown = hideCredentials(agent.trim());
  const isRemote = readTarget(target)?.kind.isRemote === true;
  return identityOf({ agent: shown, ...(isRemote ? {} : { cwd: relative(projectRoot, cwd) }) });
}
