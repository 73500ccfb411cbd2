import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Node ends with a crash when the terminal it began on is gone: then it must not find it among its files. */
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
