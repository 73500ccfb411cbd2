import { spawn, type ChildProcess } from 'node:child_process';
import type { PlannedWork } from '../../model/planned-work.ts';
import { PARENT_VARIABLE } from '../../processes/end-with-parent.ts';
import { WATCH_VARIABLE, type WatchedRequest } from './watched-run.ts';

export interface StartedRun {
  readonly child: ChildProcess;
  /** Its exit code; undefined if it did not start, or a signal ended it. */
  readonly ended: Promise<number | undefined>;
}

interface RunRequest extends WatchedRequest {
  readonly words: readonly string[];
  /** Whether what it is about to do may happen. */
  readonly decide: (work: PlannedWork) => Promise<boolean>;
}

/**
 * A run in a process of its own: code that changed is loaded anew, and a run that crashes does not end the watch. It
 * prints to this terminal, and says first what it is about to do.
 */
export function startRun({ words, rerun, decide }: RunRequest): StartedRun {
  const child = spawn(
    process.execPath,
    [...process.execArgv, process.argv[1]!, 'run', ...words, '--changed'],
    {
      env: { ...process.env, [WATCH_VARIABLE]: JSON.stringify({ rerun }), [PARENT_VARIABLE]: 'stdin' },
      stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
    },
  );
  child.once('message', (work) => {
    void decide(work as PlannedWork).then((answer) => child.connected && child.send(answer));
  });
  const ended = new Promise<number | undefined>((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code ?? undefined));
  });
  return { child, ended };
}
