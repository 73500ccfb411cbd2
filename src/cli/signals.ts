import { exitProcess } from '../agents/function-call.ts';
import { EXIT, type Output } from './command.ts';

/**
 * Ctrl-C once stops the run in order; twice ends the process at once. Until the process ends: a signal that nobody listens
 * to would end it without ending its children.
 */
export function watchSignals(stderr: Output): AbortSignal {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) exitProcess(EXIT.interrupted);
    controller.abort(new Error('interrupted'));
    void stderr.write('\nassay: stopping; once more to force\n');
  };
  for (const name of NAMES) process.on(name, onSignal);
  return controller.signal;
}

/** Ctrl-C, for what goes on until then and has nothing to stop in order. */
export function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of NAMES) process.once(name, () => resolve());
  });
}

const NAMES = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
