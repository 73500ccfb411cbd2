import type { Json, JsonObject } from '../model/json.ts';
import type { Agent, Session } from './contract.ts';
import { AgentSetupError } from './agent-setup-error.ts';

export interface MockConfig {
  readonly name: string;
  /** A text or a whole reply, for every step. */
  readonly response?: string | JsonObject | undefined;
  /** One for each step of a test; the last repeats. */
  readonly replies?: readonly (string | JsonObject)[] | undefined;
  readonly workers?: number | undefined;
}

/** An agent that says what it was told to say. */
export function createMockAgent({ name, response, replies, workers = 16 }: MockConfig): Agent {
  if ((response === undefined) === (replies === undefined)) {
    throw new AgentSetupError(`the target "${name}" needs either \`response\` or \`replies\``);
  }
  const script: readonly Json[] = replies ?? [response!];
  if (script.length === 0) throw new AgentSetupError(`the target "${name}" has no replies`);
  return {
    name,
    workers,
    open: () => Promise.resolve(createSession(script)),
    close: () => Promise.resolve(),
  };
}

function createSession(script: readonly Json[]): Session {
  let next = 0;
  return {
    send: () => Promise.resolve({ reply: script[Math.min(next++, script.length - 1)], printed: '' }),
    close: () => Promise.resolve(),
  };
}
