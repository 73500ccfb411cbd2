import type { Finding } from '../../base/model/finding.ts';
import { recordSize } from '../../base/model/record-size.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { Reporter, RunEnd } from '../../show/reporters/reporter.ts';
import { ReportedFindings } from './reported-findings.ts';

/**
 * The limit for records that reporters have not processed yet: a pipe may be read more slowly than a run writes to
 * it.
 */
const MAX_PENDING_CHARACTERS = 8 * 1024 * 1024;

type Event = Exclude<keyof Reporter, 'onRunEnd' | 'onError'>;

export interface ReporterMultiplexer {
  <E extends Event>(event: E, value: Parameters<NonNullable<Reporter[E]>>[0]): void;
  /** Resolves when the reporters have processed everything: slow readers are waited for. */
  settled(): Promise<void>;
  /** The same if they are far behind; undefined while they are not. Unprocessed records stay in memory. */
  caughtUp(): Promise<void> | undefined;
  end(value: RunEnd): Promise<void>;
}

/**
 * A reporter that throws is removed, with a warning; the run and the other reporters continue. A finding that was
 * reported before, for example by another repeat of a test, is not reported again.
 */
export function createReporterMultiplexer(reporters: readonly Reporter[]): ReporterMultiplexer {
  const broken = new Set<Reporter>();
  const pending = new Set<Promise<void>>();
  let pendingCharacters = 0;
  const findings = new ReportedFindings();

  const giveUp = (reporter: Reporter, error: unknown): void => {
    if (broken.has(reporter)) return;
    broken.add(reporter);
    if (reporter.onError !== undefined) return reporter.onError(error);
    process.emitWarning(
      `a reporter failed and was removed: ${error instanceof Error ? error.message : String(error)}`,
    );
  };
  const wait = (reporter: Reporter, promise: Promise<void>, characters: number): void => {
    const settled = promise
      .catch((error: unknown) => giveUp(reporter, error))
      .finally(() => {
        pending.delete(settled);
        pendingCharacters -= characters;
      });
    pending.add(settled);
    pendingCharacters += characters;
  };
  const emit = <E extends Event>(event: E, value: Parameters<NonNullable<Reporter[E]>>[0]): void => {
    if (event !== 'onFinding' || findings.take(value as Finding)) emitAll(event, value);
  };
  const emitAll = <E extends Event>(event: E, value: Parameters<NonNullable<Reporter[E]>>[0]): void => {
    for (const reporter of reporters) {
      if (broken.has(reporter)) continue;
      try {
        const answer = (reporter[event] as ((given: unknown) => unknown) | undefined)?.call(reporter, value);
        if (answer instanceof Promise)
          wait(
            reporter,
            answer as Promise<void>,
            event === 'onResult' ? recordSize(value as AttemptRecord) : 0,
          );
      } catch (error) {
        giveUp(reporter, error);
      }
    }
  };
  const settled = async (): Promise<void> => {
    if (pending.size > 0) await Promise.all(pending);
  };
  const caughtUp = (): Promise<void> | undefined =>
    pendingCharacters < MAX_PENDING_CHARACTERS ? undefined : settled();
  const end = async (value: RunEnd): Promise<void> => {
    const rest = findings.rest();
    if (rest !== undefined) emitAll('onFinding', rest);
    await settled();
    for (const reporter of reporters) {
      if (broken.has(reporter)) continue;
      try {
        await reporter.onRunEnd?.(value);
      } catch (error) {
        giveUp(reporter, error);
      }
    }
  };
  return Object.assign(emit, { settled, caughtUp, end });
}
