import type { ObserveSettings } from '../../base/schema/observe-schema.ts';
import type { AgentFunction } from '../../agents/function-agent.ts';
import type { TargetFields } from '../../agents/kinds/registry.ts';
import type { Price } from '../../agents/llm/price-table.ts';
import type { JudgeConfig } from '../../checks/judges/judge-config.ts';

/** One agent that suites can name, by exactly one of `agent`, `command`, `command_template`, `url` and `provider`. */
export type TargetConfig = Omit<TargetFields, 'command'> & {
  /** A program and its arguments. A string is a shell command with `{PROMPT}` and similar placeholders. */
  readonly command?: string | readonly string[];
  /** Only of a variant, once its target is read: the target's name, and the variables it sets. */
  readonly variant_of?: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** The conditions a run must meet. */
interface GatesConfig {
  /** The share of measured attempts that must pass. */
  readonly min_pass_rate?: number;
  /** How many tests may be flaky; below 1, the share of them. */
  readonly max_flaky?: number;
  /** The share of planned attempts that must be measured for a gate to be decided. */
  readonly min_coverage?: number;
}

/** Model calls that are recorded and replayed. */
export interface CassettesConfig {
  /** What `--cassettes` is by default. */
  readonly mode?: 'record' | 'replay' | 'new' | 'off';
  /** Relative to the config. Default: `cassettes`. */
  readonly dir?: string;
  /** Python patterns for text of requests that changes from run to run. */
  readonly ignore?: readonly string[];
  /** Hosts that agents may reach while cassettes are replayed. */
  readonly passthrough?: readonly string[];
}

/** How the telemetry of agents is read. */
interface OtelConfig {
  /** All of it is passed on to the collector that the environment names. */
  readonly forward?: boolean;
  /** A trace is complete when its root has ended and nothing came for so long. Default: 3000. */
  readonly quiet_ms?: number;
  /** The longest wait for the telemetry of one step. Default: 30000. */
  readonly wait_ms?: number;
  /** Where servers that Assay does not start send it. Default: 4318. */
  readonly port?: number;
}

/** What coding agents may do through `assay mcp`. */
interface McpConfig {
  /** What they may run: paths and globs, relative to the project root. */
  readonly paths?: readonly string[];
  /** The targets they may run it with; the first is the default. */
  readonly targets?: readonly string[];
  /** No more attempts start once one of their runs has cost this much, in USD. */
  readonly max_cost?: number;
}

export interface AssayConfig {
  /** Short for a target named `default`. */
  readonly agent?: string | AgentFunction;
  readonly targets?: readonly TargetConfig[];
  /** The name of a target, or a model. */
  readonly judge?: string | (Omit<JudgeConfig, 'name'> & { readonly name?: string });
  readonly workers?: number;
  /** Seconds, or a string such as `90s` or `2m`. */
  readonly timeout?: number | string;
  readonly threshold?: number;
  /** How often a test runs if it does not say; `auto`: until its gate is decided. */
  readonly repeats?: number | 'auto';
  /** For `repeats: auto`: how sure a decision must be, and how often a test runs at most. */
  readonly confidence?: number;
  readonly max_repeats?: number;
  /** No more attempts start once a run has cost this much, in USD. */
  readonly max_cost?: number;
  readonly gates?: GatesConfig;
  /** Paths or globs to run when the command names none, relative to the config. */
  readonly include?: string | readonly string[];
  /** What `--reporter` is by default. */
  readonly reporter?: string | readonly string[];
  /** How often an attempt is retried after an infrastructure failure. */
  readonly retry?: number;
  /** Warnings about files, replies and evidence are errors. */
  readonly strict?: boolean;
  /** Files with evaluators of your own: suites refer to them by name. */
  readonly evaluators?: string | readonly string[];
  /** Programs that suites name (`code_judge`): whether they may run, and which variables they get. */
  readonly scripts?: { readonly allow?: boolean; readonly env?: readonly string[] };
  /** What models cost, in USD per million tokens: for those that the built-in table does not know, or has wrong. */
  readonly prices?: Readonly<Record<string, Price>>;
  /** What is known of the work of all agents that Assay sees but cannot read. */
  readonly observe?: ObserveSettings;
  /** How the telemetry of agents is read, where `observe` is `otel`. */
  readonly otel?: OtelConfig;
  /** Model calls that are recorded and replayed. */
  readonly cassettes?: CassettesConfig;
  /** What coding agents may do through `assay mcp`. */
  readonly mcp?: McpConfig;
  /** What the page opens files with: an editor by name, `off`, or an address with `{path}`, `{line}` and `{column}`. */
  readonly editor?: string;
  /** Variables whose values are never shown or written, besides those whose names say so. */
  readonly secrets?: readonly string[];
}

/** Gives a config its type: `export default defineConfig({ agent: './agent.ts' })`. */
export function defineConfig(config: AssayConfig): AssayConfig {
  return config;
}
