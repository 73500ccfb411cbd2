import type { Finding } from '../model/finding.ts';
import type { Reporter, RunEnd } from '../reporters/reporter.ts';
import { ToldFindings } from './told-findings.ts';

type Event = Exclude<keyof Reporter, 'onRunEnd' | 'onError'>;

export interface Teller {
  <E extends Event>(event: E, told: Parameters<NonNullable<Reporter[E]>>[0]): void;
  /** Resolves when the reporters have dealt with what they were told: who reads slowly is waited for. */
  settled(): Promise<void>;
  end(told: RunEnd): Promise<void>;
}

/**
 * A reporter that throws is left out from then on, and said; the run and the other reporters go on. What was found
 * before, as by another repeat of a test, is not told again.
 */
export function createTeller(reporters: readonly Reporter[]): Teller {
  const broken = new Set<Reporter>();
  const pending = new Set<Promise<void>>();
  const findings = new ToldFindings();

  const giveUp = (reporter: Reporter, error: unknown): void => {
    if (broken.has(reporter)) return;
    broken.add(reporter);
    if (reporter.onError !== undefined) return reporter.onError(error);
    process.emitWarning(
      `a reporter failed and is left out: ${error instanceof Error ? error.message : String(error)}`,
    );
  };
  const wait = (reporter: Reporter, promise: Promise<void>): void => {
    const settled = promise
      .catch((error: unknown) => giveUp(reporter, error))
      .finally(() => pending.delete(settled));
    pending.add(settled);
  };
  const tell = <E extends Event>(event: E, told: Parameters<NonNullable<Reporter[E]>>[0]): void => {
    if (event !== 'onFinding' || findings.take(told as Finding)) tellAll(event, told);
  };
  const tellAll = <E extends Event>(event: E, told: Parameters<NonNullable<Reporter[E]>>[0]): void => {
    for (const reporter of reporters) {
      if (broken.has(reporter)) continue;
      try {
        const answer = (reporter[event] as ((value: unknown) => unknown) | undefined)?.call(reporter, told);
        if (answer instanceof Promise) wait(reporter, answer as Promise<void>);
      } catch (error) {
        giveUp(reporter, error);
      }
    }
  };
  const settled = async (): Promise<void> => {
    if (pending.size > 0) await Promise.all(pending);
  };
  const end = async (told: RunEnd): Promise<void> => {
    const rest = findings.rest();
    if (rest !== undefined) tellAll('onFinding', rest);
    await settled();
    for (const reporter of reporters) {
      if (broken.has(reporter)) continue;
      try {
        await reporter.onRunEnd?.(told);
      } catch (error) {
        giveUp(reporter, error);
      }
    }
  };
  return Object.assign(tell, { settled, end });
}
