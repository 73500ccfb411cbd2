import { withDotEnv } from '../config/dot-env.ts';
import { findProjectRoot } from '../load/project-root.ts';
import { createRedactor, type Redactor } from '../match/redact-secrets.ts';
import type { CommandContext } from './command.ts';

export interface ProjectRedactor extends Redactor {
  /** From here on the values of these variables, and these values, are secrets too. */
  learn(names: readonly string[], values?: readonly string[]): void;
}

/** Knows the secrets of the environment and of the project's `.env`; those that a config names must be added. */
export function createProjectRedactor(env: CommandContext['env']): ProjectRedactor {
  const variables = withDotEnv(findProjectRoot(process.cwd()), env);
  const named = new Set<string>();
  const plain = new Set<string>();
  let known = createRedactor(variables);
  return {
    text: (text) => known.text(text),
    value: (value) => known.value(value),
    printed: (value) => known.printed(value),
    marking: (markOf) => known.marking(markOf),
    learn(names, values = []) {
      for (const name of names) named.add(name);
      for (const value of values) plain.add(value);
      known = createRedactor(variables, [...named], [...plain]);
    },
  };
}
