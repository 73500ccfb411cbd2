import { exitProcess } from './exit-process.ts';
import { onParentGone } from '../agents/processes/end-with-parent.ts';
import { monotonicMs } from '../base/system/system-time.ts';
import { EXIT, type Output } from './command.ts';

/**
 * Ctrl-C once stops the run in order; twice ends the process at once. Active until the process ends: an unhandled
 * signal would end it without its children.
 */
export function watchSignals(stderr: Output): AbortSignal {
  return watch(stderr, () => {
    // Lines that are redrawn give way to this: they would stay on the screen.
    void stderr.write('assay: stopped at once\n');
    exitProcess(EXIT.interrupted);
  });
}

/**
 * The same for something that can also be stopped fast: the second signal does that, and the third one ends the
 * process.
 */
export function watchSignalsTwice(stderr: Output): {
  readonly signal: AbortSignal;
  readonly force: AbortSignal;
} {
  const force = new AbortController();
  const signal = watch(stderr, () => {
    if (force.signal.aborted) exitProcess(EXIT.interrupted);
    force.abort(new Error('interrupted'));
  });
  return { signal, force: force.signal };
}

function watch(stderr: Output, onceMore: () => void): AbortSignal {
  const controller = new AbortController();
  let isOrphaned = false;
  let firstAt = 0;
  const onSignal = (): void => {
    // A parent that stops us closes its end and sends a signal: that is once, not twice.
    if (isOrphaned) isOrphaned = false;
    else if (controller.signal.aborted) return isEcho(firstAt) ? undefined : onceMore();
    firstAt = monotonicMs();
    controller.abort(new Error('interrupted'));
    void stderr.write('\nassay: stopping; press Ctrl-C again to force\n');
  };
  for (const name of NAMES) process.on(name, onSignal);
  onParentGone(() => {
    if (controller.signal.aborted) return;
    isOrphaned = true;
    controller.abort(new Error('the program that started this run is gone'));
  });
  return controller.signal;
}

/** One Ctrl-C may come twice: from the terminal, and from the `assay watch` that started this run. */
function isEcho(firstAt: number): boolean {
  return process.send !== undefined && monotonicMs() - firstAt < ECHO_MS;
}

const ECHO_MS = 300;

/** Every Ctrl-C, for something that decides itself what a second one means. */
export function onSignals(listener: () => void): void {
  for (const name of NAMES) process.on(name, listener);
}

/** Ctrl-C, for something that runs until then and needs no orderly stop. */
export function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of NAMES) process.once(name, () => resolve());
    onParentGone(resolve);
  });
}

const NAMES = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
