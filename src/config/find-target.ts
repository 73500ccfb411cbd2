import type { AssayConfig, TargetConfig } from './config.ts';

/** The targets of a config; `agent` counts as one. */
export function allTargets({ agent, targets = [] }: AssayConfig): readonly TargetConfig[] {
  // Another tool's file may hold anything under this name.
  const named = targets.filter((target) => typeof target === 'object' && target !== null);
  return agent === undefined ? named : [{ name: 'default', agent }, ...named];
}

/** By name; otherwise the one named `default`; otherwise the only one. */
export function findTarget(
  targets: readonly TargetConfig[],
  wanted: string | undefined,
): TargetConfig | undefined {
  if (wanted !== undefined) return targets.find(({ name }) => name === wanted);
  return targets.find(({ name }) => name === 'default') ?? (targets.length === 1 ? targets[0] : undefined);
}
