import type { ReporterContext } from './reporter.ts';

const PIECE_CHARACTERS = 64 * 1024;

/** Writes many small strings in chunks: waiting for each of them would take longer than creating it. */
export async function writeParts(write: ReporterContext['write'], parts: Iterable<string>): Promise<void> {
  let waiting = '';
  for (const part of parts) {
    waiting += part;
    if (waiting.length < PIECE_CHARACTERS) continue;
    await write(waiting);
    waiting = '';
  }
  if (waiting !== '') await write(waiting);
}
