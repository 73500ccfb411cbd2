import type { Output } from './command.ts';

/** Lets the lines that are redrawn on a terminal give way to everything else that is written there. */
export interface SharedTerminal {
  /** Called before each write. */
  onOutput(listener: () => void): void;
  /** The same output; writing to it calls the listeners first. */
  share(output: Output): Output;
}

export function createSharedTerminal(): SharedTerminal {
  const listeners: (() => void)[] = [];
  return {
    onOutput: (listener) => void listeners.push(listener),
    share: (output) => ({
      isTTY: output.isTTY,
      get columns() {
        return output.columns;
      },
      write(text) {
        // Another file or pipe does not disturb the lines on the terminal.
        if (output.isTTY) for (const listener of listeners) listener();
        return output.write(text);
      },
    }),
  };
}
