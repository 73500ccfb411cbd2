import { isAbsolute, relative, resolve } from 'node:path';
import type { AgentFunction } from '../../agents/function-agent.ts';
import { isInside } from '../../base/files/is-inside.ts';
import { hideCredentials } from '../../base/match/url-credentials.ts';
import type { TargetConfig } from './config.ts';
import { codeStarts, readTarget } from './read-target.ts';

/** Variables stay as names: a secret is not part of a target's identity. Neither is the code of a function. */
export function identityOf(target: Partial<TargetConfig>): string {
  return JSON.stringify(target, (_key, value: unknown) => {
    if (typeof value === 'function') return `function ${value.name}`;
    return typeof value === 'bigint' ? String(value) : value;
  });
}

/** The same file is the same agent, no matter where in the project the run starts. */
export function agentIdentity(agent: string | AgentFunction, cwd: string, projectRoot: string): string {
  if (typeof agent !== 'string') return identityOf({ agent });
  const target = { name: 'agent', agent };
  const start = codeStarts(target).find((each) => 'file' in each);
  if (start !== undefined) {
    const path = resolve(cwd, start.file);
    const shown = isInside(path, projectRoot) ? relative(projectRoot, path) : path;
    return identityOf({ agent: `${shown}${start.part}` });
  }
  // A password is a secret, and not part of an agent's identity.
  const shown = hideCredentials(agent.trim());
  const isRemote = readTarget(target)?.kind.isRemote === true;
  return identityOf({ agent: shown, ...(isRemote ? {} : { cwd: relative(projectRoot, cwd) }) });
}

/**
 * What results and reports call an agent of the command line: as it was typed. Of an absolute path only the part in
 * the project counts, which is the same on every machine.
 */
export function agentName(agent: string, projectRoot: string): string {
  const shown = hideCredentials(agent);
  return isAbsolute(shown) && isInside(shown, projectRoot) ? `./${relative(projectRoot, shown)}` : shown;
}
