import zlib from 'node:zlib';
import { framesToEvents, isFrameStream } from '../amazon-event-stream.ts';

/** Of a request or a response. What is longer is passed on, but not kept. */
const KEPT_BYTES = 10 * 1024 * 1024;

/** A copy of a body that is on its way. */
export class KeptBody {
  private chunks: Uint8Array[] = [];
  private bytes = 0;
  /** It was longer than what is kept. */
  isCut = false;

  /** Copies the chunk: whoever gets it next may overwrite or detach it. */
  add(chunk: Uint8Array): void {
    if (this.isCut) return;
    const room = KEPT_BYTES - this.bytes;
    this.isCut = chunk.byteLength > room;
    const kept = Buffer.from(chunk.subarray(0, room));
    this.bytes += kept.byteLength;
    this.chunks.push(kept);
  }

  /** Undefined when it cannot be unpacked. */
  text(contentEncoding: string | undefined, contentType?: string): string | undefined {
    const bytes = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    const unpacked = unpack(bytes, contentEncoding?.trim().toLowerCase() ?? '');
    if (unpacked === undefined) return undefined;
    return isFrameStream(contentType) ? framesToEvents(unpacked) : new TextDecoder().decode(unpacked);
  }
}

type Unpack = (bytes: Uint8Array, options: object) => Uint8Array;

/** Newer versions of Node have zstd. */
const UNPACK: Readonly<Record<string, Unpack | undefined>> = {
  gzip: zlib.unzipSync,
  'x-gzip': zlib.unzipSync,
  deflate: zlib.unzipSync,
  br: zlib.brotliDecompressSync,
  zstd: (zlib as unknown as { readonly zstdDecompressSync?: Unpack }).zstdDecompressSync,
};

/** A stream that broke off gives what is there. */
function unpack(bytes: Uint8Array, encoding: string): Uint8Array | undefined {
  if (encoding === '' || encoding === 'identity' || bytes.byteLength === 0) return bytes;
  const flush = encoding === 'br' ? zlib.constants.BROTLI_OPERATION_FLUSH : zlib.constants.Z_SYNC_FLUSH;
  const options = {
    maxOutputLength: KEPT_BYTES,
    ...(encoding === 'zstd' ? {} : { finishFlush: flush }),
  };
  try {
    return Object.hasOwn(UNPACK, encoding) ? UNPACK[encoding]?.(bytes, options) : undefined;
  } catch {
    return undefined;
  }
}
