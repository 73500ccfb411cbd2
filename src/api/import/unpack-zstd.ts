import { Transform } from 'node:stream';
import { Decompress } from 'fzstd';

/** A few bytes can unpack to 128 kB, and what a piece unpacks to is in memory at once. */
const PIECE_BYTES = 4096;

/** Unpacks zstd where Node cannot (before 22.15), at most `limit` bytes. */
export function createZstdUnpacker(limit: number): Transform {
  let unpacked = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      attempt(() => {
        for (let start = 0; start < chunk.length; start += PIECE_BYTES)
          reader.push(chunk.subarray(start, start + PIECE_BYTES));
      }, done);
    },
    flush(done) {
      attempt(() => reader.push(new Uint8Array(0), true), done);
    },
  });
  const reader = new Decompress((data) => {
    unpacked += data.length;
    if (unpacked > limit) throw new Error('it unpacks to far more than a log has');
    if (data.length > 0) stream.push(Buffer.from(data));
  });
  return stream;
}

function attempt(unpack: () => void, done: (error?: Error) => void): void {
  try {
    unpack();
  } catch (error) {
    return done(error as Error);
  }
  done();
}
