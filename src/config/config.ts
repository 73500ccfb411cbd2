import type { Json, JsonObject } from '../model/json.ts';

/** An agent written in TypeScript or JavaScript. */
export type AgentFunction = (input: string, memory: JsonObject, context: unknown) => unknown;

/** One agent that suites can name. */
export interface TargetConfig {
  readonly name: string;
  /** A file (`./agent.ts`, `./agent.py`), a URL, `cmd: ...`; in a TypeScript config also a function. */
  readonly agent?: string | AgentFunction;
  /** A program and its arguments. */
  readonly command?: readonly string[];
  /** An HTTP endpoint, and how to speak with it. */
  readonly url?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly reply?: Readonly<Record<string, string>>;
  /** A server to start first. */
  readonly start?: readonly string[];
  readonly healthcheck?: string;
  readonly workers?: number;
}

export interface AssayConfig {
  /** Short for a target named `default`. */
  readonly agent?: string | AgentFunction;
  readonly targets?: readonly TargetConfig[];
  readonly workers?: number;
  /** Seconds, or a text such as `90s` or `2m`. */
  readonly timeout?: number | string;
  readonly threshold?: number;
}

/** Gives a config its type: `export default defineConfig({ agent: './agent.ts' })`. */
export function defineConfig(config: AssayConfig): AssayConfig {
  return config;
}
