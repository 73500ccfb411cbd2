import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { ProcessGroup } from '../processes/process-group.ts';

/**
 * Ends a host when this process is killed, also while code of users blocks its thread, which then does not notice the end of a pipe.
 * Its end of the pipe to this shell closes with this process. A thread in the host would take as much as another start of Node.
 */
export function endWithUs({ id, ended }: ProcessGroup): void {
  const watcher = spawn('/bin/sh', ['-c', 'read -r _ || kill -9 "-$0"', String(id)], {
    cwd: '/',
    env: {},
    // What ends a group of processes must not end it too.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const pipe = watcher.stdin as Socket;
  // Where there is no shell, the next run ends what a killed one left behind.
  for (const part of [watcher, pipe]) part.on('error', () => {}).unref();
  void ended.then(() => pipe.end('\n'));
}
