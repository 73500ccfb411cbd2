import type { AgentFunction } from '../agents/function-agent.ts';
import type { TargetFields } from '../agents/kinds/registry.ts';
import type { Price } from '../llm/price-table.ts';
import type { JudgeConfig } from '../judges/judge-config.ts';

/** One agent that suites can name, by exactly one of `agent`, `command`, `command_template`, `url` and `provider`. */
export type TargetConfig = Omit<TargetFields, 'command'> & {
  /** A program and its arguments; a text is a shell line with `{PROMPT}` and the like. */
  readonly command?: string | readonly string[];
};

/** What a run must hold. */
interface GatesConfig {
  /** What share of the measured attempts must pass. */
  readonly min_pass_rate?: number;
  /** How many tests may be flaky; below 1, what share of them. */
  readonly max_flaky?: number;
  /** What share of the planned attempts must be measured for a gate to be decided. */
  readonly min_coverage?: number;
}

export interface AssayConfig {
  /** Short for a target named `default`. */
  readonly agent?: string | AgentFunction;
  readonly targets?: readonly TargetConfig[];
  /** The name of a target, or a model. */
  readonly judge?: string | (Omit<JudgeConfig, 'name'> & { readonly name?: string });
  readonly workers?: number;
  /** Seconds, or a text such as `90s` or `2m`. */
  readonly timeout?: number | string;
  readonly threshold?: number;
  /** How often tests are made that do not say; `auto`: until their gate is decided. */
  readonly repeats?: number | 'auto';
  /** For `repeats: auto`: how sure a decision must be, and how often a test is made at most. */
  readonly confidence?: number;
  readonly max_repeats?: number;
  /** Nothing more is started once a run has cost this much, in USD. */
  readonly max_cost?: number;
  readonly gates?: GatesConfig;
  /** Programs that suites name (`code_judge`): whether they may run, and which variables they get. */
  readonly scripts?: { readonly allow?: boolean; readonly env?: readonly string[] };
  /** What models cost, in USD per million tokens: for those that the built-in table does not know, or has wrong. */
  readonly prices?: Readonly<Record<string, Price>>;
  /** Variables whose values are never shown or written, besides those whose names say so. */
  readonly secrets?: readonly string[];
}

/** Gives a config its type: `export default defineConfig({ agent: './agent.ts' })`. */
export function defineConfig(config: AssayConfig): AssayConfig {
  return config;
}
