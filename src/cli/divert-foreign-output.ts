import { StringDecoder } from 'node:string_decoder';
import { isAboutModuleTypes } from '../agents/package-type.ts';
import { escapeLines } from '../show/reporters/terminal-text.ts';

/** A longer line is written in parts. */
const MAX_LINE = 64 * 1024;

/**
 * Output of an agent or a config in this process goes to stderr, line by line and made harmless: stdout belongs to
 * the report, and the terminal to us. A child process that inherited our stdout is beyond our control.
 */
export function divertForeignOutput(write: (text: string) => unknown): {
  flush(): void;
  restore(): void;
} {
  const diverted = [process.stdout, process.stderr].map((stream) => divert(stream, write));
  // Node itself prints warnings without the streams.
  const before = process.rawListeners('warning') as ((warning: Error) => void)[];
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (isAboutModuleTypes(warning)) return;
    write(`(node) ${escapeLines(`${warning.name}: ${warning.message}`)}\n`);
  });
  return {
    flush: () => diverted.forEach(({ flush }) => flush()),
    restore() {
      for (const { restore } of diverted) restore();
      process.removeAllListeners('warning');
      for (const listener of before) process.on('warning', listener);
    },
  };
}

function divert(
  stream: NodeJS.WriteStream,
  write: (text: string) => unknown,
): { flush(): void; restore(): void } {
  const decoder = new StringDecoder('utf8');
  let line = '';
  const add = (text: string): void => {
    line += text;
    const end = line.length > MAX_LINE ? line.length : line.lastIndexOf('\n') + 1;
    if (end > 0) write(escapeLines(line.slice(0, end)));
    line = line.slice(end);
  };
  const before = Object.getOwnPropertyDescriptor(stream, 'write');
  stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    add(typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk)));
    const done = rest.find((argument) => typeof argument === 'function') as (() => void) | undefined;
    if (done !== undefined) process.nextTick(done);
    return true;
  };
  return {
    flush: () => add(line === '' ? '' : '\n'),
    restore() {
      if (before === undefined) delete (stream as Partial<NodeJS.WriteStream>).write;
      else Object.defineProperty(stream, 'write', before);
    },
  };
}
