import type { Json } from '../base/model/json.ts';
import { sleep } from '../base/system/system-time.ts';
import type { Agent, RawReply, Session } from './contract.ts';
import { AgentSetupError } from './agent-setup-error.ts';
import { stoppedError } from './stopped-error.ts';

export interface MockConfig {
  readonly name: string;
  /** A text or a whole reply, for every step. */
  readonly response?: Json | undefined;
  /** One per step of a test; the last repeats. */
  readonly replies?: readonly Json[] | undefined;
  readonly delayMs?: number | undefined;
  readonly delayMinMs?: number | undefined;
  readonly delayMaxMs?: number | undefined;
  readonly workers?: number | undefined;
}

/** The reply of a mock without settings. */
const DEFAULT_RESPONSE = 'This is a mock target without a `response`.';

/** An agent with fixed replies. */
export function createMockAgent(config: MockConfig): Agent {
  const { name, response, replies, workers = 16 } = config;
  if (response !== undefined && replies !== undefined) {
    throw new AgentSetupError(`the target "${name}" needs either \`response\` or \`replies\``);
  }
  const script: readonly Json[] = replies ?? [response ?? DEFAULT_RESPONSE];
  if (script.length === 0) throw new AgentSetupError(`the target "${name}" has no replies`);
  return {
    name,
    workers,
    open: () => Promise.resolve(createSession(script, config)),
    close: () => Promise.resolve(),
  };
}

function createSession(script: readonly Json[], config: MockConfig): Session {
  let next = 0;
  return {
    async send(_request, signal): Promise<RawReply> {
      if (signal.aborted) throw stoppedError(signal);
      const reply = script[Math.min(next++, script.length - 1)];
      const delayMs = chooseDelay(config);
      if (delayMs > 0)
        await sleep(delayMs, undefined, { signal }).catch(() => {
          throw stoppedError(signal);
        });
      return { reply, printed: '' };
    },
    close: () => Promise.resolve(),
  };
}

/** A range takes precedence over a fixed time. */
function chooseDelay({ delayMs = 0, delayMinMs = 0, delayMaxMs = 0 }: MockConfig): number {
  if (delayMinMs === 0 && delayMaxMs === 0) return delayMs;
  return delayMinMs + Math.random() * Math.max(0, delayMaxMs - delayMinMs);
}
