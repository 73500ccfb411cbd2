import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Node crashes at exit if the terminal it started on is gone: it must not find the terminal among its files. */
export function leaveDeadTerminal(): void {
  const terminals = [0, 1, 2].filter((file) => isatty(file));
  process.on('exit', () => {
    for (const file of terminals) if (!isatty(file)) tryClose(file);
  });
}

function tryClose(file: number): void {
  try {
    closeSync(file);
  } catch {
    // It was closed before.
  }
}
