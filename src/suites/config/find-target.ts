import type { AssayConfig, TargetConfig } from './config.ts';
import { baseName, expandVariants } from './target-variants.ts';

/** The targets of a config, each variant as one of its own; `agent` counts as one. */
export function allTargets({ agent, targets = [] }: AssayConfig): readonly TargetConfig[] {
  const all = targets.flatMap((target, index) => {
    // Another tool's file may hold anything under this name.
    if (typeof target !== 'object' || target === null) return [];
    return typeof target.name === 'string'
      ? expandVariants(target)
      : [{ ...target, name: namelessTarget(index) }];
  });
  return agent === undefined ? all : [{ name: 'default', agent }, ...all];
}

/** What stands for the name of a target that has none. Its findings are under this name. */
export function namelessTarget(index: number): string {
  return `targets[${index}]`;
}

export function isNameless(name: string): boolean {
  return /^targets\[\d+\]$/.test(name);
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
