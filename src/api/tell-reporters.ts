import type { Reporter, RunEnd } from '../reporters/reporter.ts';

type Event = Exclude<keyof Reporter, 'onRunEnd'>;

export interface Teller {
  <E extends Event>(event: E, told: Parameters<NonNullable<Reporter[E]>>[0]): void;
  end(told: RunEnd): Promise<void>;
}

/** A reporter that throws is left out from then on, and said; the run and the other reporters go on. */
export function createTeller(reporters: readonly Reporter[]): Teller {
  const broken = new Set<Reporter>();
  const giveUp = (reporter: Reporter, error: unknown): void => {
    broken.add(reporter);
    process.emitWarning(
      `a reporter failed and is left out: ${error instanceof Error ? error.message : String(error)}`,
    );
  };
  const tell = <E extends Event>(event: E, told: Parameters<NonNullable<Reporter[E]>>[0]): void => {
    for (const reporter of reporters) {
      if (broken.has(reporter)) continue;
      try {
        (reporter[event] as ((value: unknown) => void) | undefined)?.call(reporter, told);
      } catch (error) {
        giveUp(reporter, error);
      }
    }
  };
  const end = async (told: RunEnd): Promise<void> => {
    for (const reporter of reporters) {
      if (broken.has(reporter)) continue;
      try {
        await reporter.onRunEnd?.(told);
      } catch (error) {
        giveUp(reporter, error);
      }
    }
  };
  return Object.assign(tell, { end });
}
