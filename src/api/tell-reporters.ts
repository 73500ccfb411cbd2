import type { Reporter } from '../reporters/reporter.ts';

type Event = Exclude<keyof Reporter, 'onRunEnd'>;

/** A reporter that throws is left out from then on; the run and the other reporters go on. */
export function createTeller(
  reporters: readonly Reporter[],
): <E extends Event>(event: E, told: Parameters<NonNullable<Reporter[E]>>[0]) => void {
  const broken = new Set<Reporter>();
  return (event, told) => {
    for (const reporter of reporters) {
      if (broken.has(reporter)) continue;
      try {
        (reporter[event] as ((value: unknown) => void) | undefined)?.call(reporter, told);
      } catch {
        broken.add(reporter);
      }
    }
  };
}
