import { resolve } from 'node:path';
import type { PlannedWork, Rerun } from '../../base/model/planned-work.ts';
import type { CommandContext } from '../command.ts';

/** Tells a process that `assay watch` started it, and what it should run. */
export const WATCH_VARIABLE = 'ASSAY_WATCH';

export interface WatchedRequest {
  readonly rerun?: Rerun | undefined;
  /** Only files that may be output of agents changed. */
  readonly isFollowUp?: boolean | undefined;
}

/** Absolute paths of files outside of the project. */
export interface OutsideMessage {
  readonly used: readonly string[];
}

/** Absolute paths. */
export interface ReportsMessage {
  readonly reports: readonly string[];
}

/** What a run that `assay watch` started is asked to do; undefined for any other run. */
export function watchedRun(env: CommandContext['env']): (WatchedRequest & Answers) | undefined {
  const request = env[WATCH_VARIABLE];
  if (request === undefined || process.send === undefined) return undefined;
  // Its agents are not watched.
  delete process.env[WATCH_VARIABLE];
  return {
    ...(JSON.parse(request) as WatchedRequest),
    confirm,
    onOutside: (used) => void process.send?.({ used } satisfies OutsideMessage),
  };
}

interface Answers {
  confirm(work: PlannedWork): Promise<boolean>;
  onOutside(used: readonly string[]): void;
}

/** Names the files that the reporters of a watched run write: the watch learns them here, since they may come from the config. */
export function announceReports(env: CommandContext['env'], paths: readonly string[]): void {
  if (env[WATCH_VARIABLE] === undefined || paths.length === 0) return;
  process.send?.({ reports: paths.map((path) => resolve(path)) } satisfies ReportsMessage);
}

/** Sends what is about to happen, and waits for the answer. Without one, nothing runs. */
function confirm(work: PlannedWork): Promise<boolean> {
  return new Promise((settle) => {
    process.once('message', (answer) => {
      settle(answer === true);
      // The process ends when its run does.
      process.off('disconnect', refuse);
      process.channel?.unref();
    });
    const refuse = (): void => settle(false);
    process.once('disconnect', refuse);
    process.send!(work);
  });
}
