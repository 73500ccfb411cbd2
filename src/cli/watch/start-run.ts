import { spawn, type ChildProcess } from 'node:child_process';
import type { PlannedWork } from '../../base/model/planned-work.ts';
import { PARENT_VARIABLE } from '../../agents/processes/end-with-parent.ts';
import {
  WATCH_VARIABLE,
  type OutsideMessage,
  type ReportsMessage,
  type WatchedRequest,
} from './watched-run.ts';

export interface StartedRun {
  readonly child: ChildProcess;
  readonly ended: Promise<RunEnd>;
}

export interface RunEnd {
  /** Undefined if it did not start, or a signal ended it. */
  readonly exitCode: number | undefined;
  /** Why it has no exit code, for people. */
  readonly problem?: string | undefined;
}

interface RunRequest extends WatchedRequest {
  /** The file to start: Assay itself. */
  readonly script: string;
  readonly words: readonly string[];
  readonly paths: readonly string[];
  readonly cwd: string;
  /** Whether what it is about to do may happen. */
  readonly decide: (work: PlannedWork) => Promise<boolean>;
  /** Called with the files that its reporters write. */
  readonly onReports: (paths: readonly string[]) => void;
  /** Called with files outside of the project that it used. */
  readonly onOutside: (paths: readonly string[]) => void;
}

/**
 * A run in a process of its own: code that changed is loaded anew, and a run that crashes does not end the watch. It
 * prints to this terminal, and says first what it is about to do.
 */
export function startRun({
  script,
  words,
  paths,
  cwd,
  decide,
  onReports,
  onOutside,
  ...asked
}: RunRequest): StartedRun {
  const { rerun, isFollowUp }: WatchedRequest = asked;
  // What somebody types for a path may look like an option.
  const end = paths.some((path) => path.startsWith('-')) ? ['--'] : [];
  const child = spawn(
    process.execPath,
    [...process.execArgv, script, 'run', ...words, '--changed', ...end, ...paths],
    {
      cwd,
      env: {
        ...process.env,
        [WATCH_VARIABLE]: JSON.stringify({ rerun, isFollowUp }),
        [PARENT_VARIABLE]: 'stdin',
      },
      stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
    },
  );
  child.on('message', (message) => {
    const sent = message as ReportsMessage | OutsideMessage | PlannedWork;
    if ('reports' in sent) onReports(sent.reports);
    else if ('used' in sent) onOutside(sent.used);
    else void decide(sent).then((answer) => child.connected && child.send(answer));
  });
  const ended = new Promise<RunEnd>((resolve) => {
    child.once('error', ({ message }) =>
      resolve({ exitCode: undefined, problem: `The run could not start in ${cwd}: ${message}` }),
    );
    child.once('close', (exitCode, signal) =>
      resolve(
        exitCode === null
          ? {
              exitCode: undefined,
              problem: `The run was ended by ${signal}: its results may not be complete.`,
            }
          : { exitCode },
      ),
    );
  });
  return { child, ended };
}
