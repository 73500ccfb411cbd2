import type { Json } from '../base/model/json.ts';
import { configSecrets } from '../suites/config/config-secrets.ts';
import { withDotEnv } from '../suites/config/dot-env.ts';
import { findProjectRoot } from '../suites/load/project-root.ts';
import { createRedactor, type Redactor } from '../base/match/redact-secrets.ts';
import type { CommandContext } from './command.ts';

export interface ProjectRedactor extends Redactor {
  /** From here on the values of these variables, and what the config sends, are secrets too. */
  readonly learn: (names: readonly string[], config?: Json) => void;
}

/** Knows the secrets of the environment and of the project's `.env`; those that a config names must be added. */
export function createProjectRedactor(env: CommandContext['env']): ProjectRedactor {
  const variables = withDotEnv(findProjectRoot(process.cwd()), env);
  const named = new Set<string>();
  const sent = new Set<string>();
  let known = createRedactor(variables);
  return {
    text: (text) => known.text(text),
    value: (value) => known.value(value),
    printed: (value) => known.printed(value),
    marking: (markOf) => known.marking(markOf),
    learn(names, config) {
      for (const name of names) named.add(name);
      for (const secret of configSecrets(config, variables)) sent.add(secret);
      known = createRedactor(variables, [...named], [...sent]);
    },
  };
}
