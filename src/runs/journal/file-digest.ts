import { crc32 } from 'node:zlib';
import { hexOf } from './checksum.ts';
import type { JournalSeal } from './journal-seal.ts';

/** The size and the checksum of a file, piece by piece. */
export class FileDigest {
  bytes = 0;
  private checksum = 0;

  add(piece: Buffer): void {
    this.bytes += piece.length;
    this.checksum = crc32(piece, this.checksum);
  }

  get crc32(): string {
    return hexOf(this.checksum);
  }

  isOf(seal: Pick<JournalSeal, 'bytes' | 'crc32'>): boolean {
    return this.bytes === seal.bytes && this.crc32 === seal.crc32;
  }
}
