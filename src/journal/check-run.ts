import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { hexOf } from './checksum.ts';
import { DamagedRun, type Damage } from './damaged-run.ts';
import { JournalCheck, type JournalClaims } from './journal-check.ts';
import { readLines } from './journal-reader.ts';
import type { JournalSeal } from './journal-seal.ts';
import type { RunDirectory } from './run-directory.ts';

const CHUNK_BYTES = 1024 * 1024;

/**
 * What of a run is not as it was written: whoever makes something of its records asks first. A run that goes on, and one
 * that was killed, have a journal that nobody sealed yet: of those, every line is looked at.
 */
export function checkRun(run: RunDirectory): readonly Damage[] {
  const damage = [...run.damagedFiles()];
  const claims = run.journalClaims();
  if (claims.seal !== undefined && hasBytesOf(run.journalPath, claims.seal) && damage.length === 0) return [];
  const found = checkLines(run, claims);
  // Somebody may have resumed the run meanwhile, and written on.
  if (found.length > 0 && claims.summary !== undefined && run.journalClaims().summary === undefined)
    return [...run.damagedFiles(), ...checkLines(run, run.journalClaims())];
  return [...damage, ...found];
}

export function refuseDamaged(run: RunDirectory): void {
  const damage = checkRun(run);
  if (damage.length > 0) throw new DamagedRun(run, damage);
}

function checkLines({ journalPath }: RunDirectory, claims: JournalClaims): readonly Damage[] {
  const check = new JournalCheck(journalPath);
  for (const { bytes } of readLines(journalPath)) check.add(bytes);
  return check.end(sizeOf(journalPath), claims);
}

/** Many times faster than looking at lines. */
function hasBytesOf(path: string, seal: JournalSeal): boolean {
  if (sizeOf(path) !== seal.bytes) return false;
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let checksum = 0;
    for (let offset = 0; offset < seal.bytes;) {
      const read = readSync(file, chunk, 0, chunk.length, offset);
      if (read === 0) return false;
      checksum = crc32(chunk.subarray(0, read), checksum);
      offset += read;
    }
    return hexOf(checksum) === seal.crc32;
  } finally {
    closeSync(file);
  }
}

function sizeOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true ? stat.size : 0;
}
