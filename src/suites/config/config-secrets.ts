import { interpolate, UnsetVariable } from '../../agents/llm/interpolate.ts';
import type { Environment } from '../../agents/llm/create-model.ts';
import { sentSecrets } from '../../base/match/sent-secrets.ts';

/** The secrets that a config, or one of its targets, sends. A server may send them back. */
export function configSecrets(config: unknown, env: Environment): readonly string[] {
  return sentSecrets(config, (text) => {
    try {
      return interpolate(text, env);
    } catch (error) {
      // Whether the target needs the variable is known once its agent is created.
      if (error instanceof UnsetVariable) return undefined;
      throw error;
    }
  });
}
