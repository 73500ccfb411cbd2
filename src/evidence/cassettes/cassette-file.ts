import { readFileSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { MOST_CASSETTE_BYTES, type Cassette } from './cassette.ts';
import { CassetteError } from './cassette-error.ts';
import { parseCassette } from './parse-cassette.ts';

const MB = 1024 * 1024;

/** Throws a CassetteError that names the file. */
export function readCassetteFile(path: string): Cassette {
  const shown = relative('', path);
  let text: string;
  try {
    const { size } = statSync(path);
    if (size > MOST_CASSETTE_BYTES)
      throw new CassetteError(`the cassette ${shown} is larger than ${MOST_CASSETTE_BYTES / MB} MB`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof CassetteError) throw error;
    throw new CassetteError(`the cassette ${shown} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  try {
    return parseCassette(text);
  } catch (error) {
    if (!(error instanceof CassetteError)) throw error;
    throw unusable(shown, error.message);
  }
}

/** For everything about a file that makes it of no use. */
export function unusable(shown: string, problem: string): CassetteError {
  return new CassetteError(
    `the cassette ${shown} cannot be used: ${problem}. Record it again with --cassettes record, or restore the file`,
  );
}
