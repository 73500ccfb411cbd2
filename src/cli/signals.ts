import { exitProcess } from '../agents/function-call.ts';
import { EXIT, type Output } from './command.ts';

export interface WatchedSignals {
  readonly signal: AbortSignal;
  /** The second one. */
  readonly force: AbortSignal;
  stop(): void;
}

/**
 * Ctrl-C once stops the run in order; twice ends the process at once. With `grace` the second one only says so, and the
 * third one ends it.
 */
export function watchSignals(stderr: Output, { grace = false } = {}): WatchedSignals {
  const controller = new AbortController();
  const force = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) {
      if (!grace || force.signal.aborted) exitProcess(EXIT.interrupted);
      force.abort(new Error('interrupted'));
      return;
    }
    controller.abort(new Error('interrupted'));
    void stderr.write('\nassay: stopping; once more to force\n');
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, onSignal);
  return {
    signal: controller.signal,
    force: force.signal,
    stop() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
