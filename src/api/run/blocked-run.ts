import { hasUserCode } from '../../base/system/user-code.ts';
import type { RunObserver } from '../../run/run-tests.ts';
import type { Attempt } from '../../run/attempt/attempt.ts';
import { attemptRecord } from '../../run/attempt/attempt-record.ts';
import type { AttemptWatchdog } from '../../run/attempt/execute-attempt.ts';
import { timestamp } from '../../base/system/system-time.ts';
import { Watchdog } from './watchdog.ts';
import type { RunOptions } from '../basics/run-options.ts';
import type { RunRecord } from './run-record.ts';

interface WatchedRun {
  readonly timeoutMs: number;
  readonly onBlocked: NonNullable<RunOptions['onBlocked']>;
  readonly record: RunRecord | undefined;
  readonly observer: RunObserver;
}

/**
 * A run whose thread is blocked for longer than an attempt may take ends: the attempts whose time is over are recorded as
 * timeouts, so that a resumed run goes past them, and the journal is closed.
 */
export function watchForBlocks(run: WatchedRun): AttemptWatchdog {
  const { timeoutMs, onBlocked, record, observer } = run;
  const watchdog = new Watchdog<Attempt>(timeoutMs, (overdue) => {
    for (const attempt of overdue) observer.onResult?.(timeoutRecord(attempt, timeoutMs));
    const run_id = record?.directory.runId;
    record?.abandon();
    const tests = overdue.map(({ file, test }) => ({ file, line: test.place.line, test: test.id }));
    onBlocked({ run_id, tests, timeoutMs });
  });
  return {
    // Agents elsewhere cannot block this thread.
    begin: (attempt) => void (hasUserCode() && watchdog.begin(attempt)),
    end: (attempt) => watchdog.end(attempt),
  };
}

function timeoutRecord(attempt: Attempt, timeoutMs: number): ReturnType<typeof attemptRecord> {
  const message = `no reply after ${timeoutMs / 1000} s (--timeout): the agent or an evaluator blocked the thread, so the run was ended`;
  return attemptRecord(attempt, {
    verdict: 'error',
    error: { kind: 'timeout', message },
    steps: [],
    assertions: [],
    retries: 0,
    started_at: timestamp(),
    duration_ms: timeoutMs,
  });
}
