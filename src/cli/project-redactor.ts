import { withDotEnv } from '../config/dot-env.ts';
import { findProjectRoot } from '../load/project-root.ts';
import { createRedactor, type Redactor } from '../match/redact-secrets.ts';
import type { CommandContext } from './command.ts';

/** Knows the secrets of the environment and of the project's `.env`. Those that a config names, only a run knows. */
export function createProjectRedactor(env: CommandContext['env']): Redactor {
  return createRedactor(withDotEnv(findProjectRoot(process.cwd()), env));
}
