import { version } from '../version.ts';
import type { Output } from './command.ts';
import { main } from './main.ts';

// A reader that goes away (`assay show | head`) is no error of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    throw error;
  });
}

process.exitCode = await main(process.argv.slice(2), {
  stdout: toOutput(process.stdout),
  stderr: toOutput(process.stderr),
  env: process.env,
  version,
});

function toOutput(stream: NodeJS.WriteStream): Output {
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 80;
    },
    write(text) {
      if (stream.write(text)) return Promise.resolve();
      return new Promise((resolve) => stream.once('drain', () => resolve()));
    },
  };
}
