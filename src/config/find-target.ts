import type { AssayConfig, TargetConfig } from './config.ts';
import { baseName, expandVariants } from './target-variants.ts';

/** The targets of a config, each variant as one of its own; `agent` counts as one. */
export function allTargets({ agent, targets = [] }: AssayConfig): readonly TargetConfig[] {
  // Another tool's file may hold anything under this name.
  const named = targets.filter((target) => typeof target === 'object' && target !== null);
  const all = named.flatMap(expandVariants);
  return agent === undefined ? all : [{ name: 'default', agent }, ...all];
}

/**
 * By name; otherwise the one named `default`; otherwise the only one. The name of a target with variants means all of
 * them.
 */
export function findTargets(
  targets: readonly TargetConfig[],
  wanted: string | undefined,
): readonly TargetConfig[] {
  if (wanted !== undefined) return targetsNamed(targets, wanted);
  const standard = targetsNamed(targets, 'default');
  if (standard.length > 0) return standard;
  return new Set(targets.map(baseName)).size === 1 ? targetsNamed(targets, baseName(targets[0]!)) : [];
}

function targetsNamed(targets: readonly TargetConfig[], wanted: string): readonly TargetConfig[] {
  const exact = targets.find(({ name }) => name === wanted);
  return exact === undefined ? targets.filter(({ variant_of }) => variant_of === wanted) : [exact];
}
