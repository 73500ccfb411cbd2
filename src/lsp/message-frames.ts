import { Transform, type TransformCallback } from 'node:stream';

const START = 'Content-Length:';
const HEADER_END = '\r\n\r\n';
/** A header of more bytes is none. */
const MOST_HEADER = 4096;
const MOST_BODY = 256 * 1024 * 1024;

/**
 * Passes on the messages of the protocol, each as a whole, and leaves out what is between them. Without it, one broken header
 * would make the reader deaf for everything after it.
 */
export function messageFrames(): Transform {
  let chunks: Buffer[] = [];
  let size = 0;
  /** How much must be there before it is worth looking. */
  let wanted = 1;
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= wanted) {
        const taken = takeFrames(Buffer.concat(chunks), (frame) => this.push(frame));
        chunks = [taken.rest];
        size = taken.rest.length;
        wanted = taken.wanted;
      }
      done();
    },
  });
}

interface Taken {
  readonly rest: Buffer;
  readonly wanted: number;
}

function takeFrames(bytes: Buffer, push: (frame: Buffer) => void): Taken {
  let rest = bytes;
  for (;;) {
    const start = rest.indexOf(START);
    // The beginning of a header may be cut.
    if (start === -1) return { rest: rest.subarray(Math.max(0, rest.length - START.length)), wanted: 1 };
    rest = rest.subarray(start);
    const end = rest.indexOf(HEADER_END);
    if (end === -1 && rest.length <= MOST_HEADER) return { rest, wanted: rest.length + 1 };
    const length = end === -1 ? undefined : bodyLength(rest.toString('latin1', 0, end));
    if (length === undefined) {
      rest = rest.subarray(START.length);
      continue;
    }
    const whole = end + HEADER_END.length + length;
    if (rest.length < whole) return { rest, wanted: whole };
    push(rest.subarray(0, whole));
    rest = rest.subarray(whole);
  }
}

/** Of a header with nothing but fields in it. */
function bodyLength(header: string): number | undefined {
  if (header.length > MOST_HEADER || !/^[\w-]+:[^\r\n]*(?:\r\n[\w-]+:[^\r\n]*)*$/.test(header))
    return undefined;
  const digits = /^Content-Length:\s*(\d{1,9})\s*(?:\r\n|$)/.exec(header)?.[1];
  return digits !== undefined && Number(digits) <= MOST_BODY ? Number(digits) : undefined;
}
