import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { DamagedRun, type Damage } from './damaged-run.ts';
import { FileDigest } from './file-digest.ts';
import { JournalCheck, type JournalClaims } from './journal-check.ts';
import { readLines } from './journal-reader.ts';
import { readOutlines } from './read-outlines.ts';
import type { JournalSeal } from './journal-seal.ts';
import type { RecordOutline } from '../../base/model/record.ts';
import type { RunDirectory } from './run-directory.ts';

const CHUNK_BYTES = 1024 * 1024;

/**
 * Which parts of a run differ from what was written: everything that uses its records checks this first. A run that
 * is in progress, and one that was killed, have a journal without a seal: for those, every line is checked.
 */
export function checkRun(run: RunDirectory): readonly Damage[] {
  const damage = [...run.damagedFiles()];
  const claims = run.journalClaims();
  if (claims.seal !== undefined && hasBytesOf(run.journalPath, claims.seal) && damage.length === 0) return [];
  const found = checkLines(run, claims);
  // Another process may have resumed the run meanwhile, and appended to it.
  if (found.length > 0 && claims.summary !== undefined && run.journalClaims().summary === undefined)
    return [...run.damagedFiles(), ...checkLines(run, run.journalClaims())];
  return [...damage, ...found];
}

export function refuseDamaged(run: RunDirectory): void {
  const damage = checkRun(run);
  if (damage.length > 0) throw new DamagedRun(run, damage);
}

/**
 * The records of a run without their steps. Throws a DamagedRun, at the latest at the end, if they differ from what
 * the run wrote. The file is checked while it is read; this halves the time.
 */
export function* readCheckedOutlines(run: RunDirectory): Generator<RecordOutline> {
  const { seal } = run.journalClaims();
  const isSealed = seal !== undefined && seal.damaged_lines === undefined && run.damagedFiles().length === 0;
  if (!isSealed) refuseDamaged(run);
  const digest = isSealed ? new FileDigest() : undefined;
  yield* readOutlines(run.journalPath, digest);
  if (isSealed && digest?.isOf(seal) === false) refuseDamaged(run);
}

function checkLines({ journalPath }: RunDirectory, claims: JournalClaims): readonly Damage[] {
  const check = new JournalCheck(journalPath);
  for (const { bytes } of readLines(journalPath)) check.add(bytes);
  return check.end(sizeOf(journalPath), claims);
}

/** Many times faster than checking each line. */
function hasBytesOf(path: string, seal: JournalSeal): boolean {
  if (sizeOf(path) !== seal.bytes) return false;
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const digest = new FileDigest();
    for (;;) {
      const read = readSync(file, chunk, 0, chunk.length, digest.bytes);
      if (read === 0) return digest.isOf(seal);
      digest.add(chunk.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}

function sizeOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true ? stat.size : 0;
}
