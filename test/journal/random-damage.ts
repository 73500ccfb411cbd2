import type { Random } from '../../scripts/random.ts';

/** A file that is not as it was, and in which way. */
export interface DamagedBytes {
  readonly how: string;
  readonly bytes: Buffer;
}

const LINE_FEED = '\n';

/** One thing that goes wrong with a file: on a disk, in a copy, or in the hands of somebody. Never nothing. */
export function damageAtRandom(whole: Buffer, random: Random): DamagedBytes {
  for (;;) {
    const how = random.pick(Object.keys(WAYS) as (keyof typeof WAYS)[]);
    const bytes = WAYS[how](whole, random);
    if (bytes !== undefined && !bytes.equals(whole)) return { how, bytes };
  }
}

type Way = (whole: Buffer, random: Random) => Buffer | undefined;

const WAYS = {
  'a bit flipped': (whole, random) => {
    const bytes = Buffer.from(whole);
    bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
    return bytes;
  },
  'a byte changed': (whole, random) => {
    const bytes = Buffer.from(whole);
    bytes[random.below(bytes.length)] = random.below(256);
    return bytes;
  },
  'a digit or a letter changed': (whole, random) => {
    const bytes = Buffer.from(whole);
    const at = random.below(bytes.length);
    if (!/[0-9a-z]/.test(String.fromCharCode(bytes[at]!))) return undefined;
    bytes[at] = random.pick([...Buffer.from('0123456789abcdefghijklmnopqrstuvwxyz')]);
    return bytes;
  },
  'a verdict changed': (whole, random) => {
    const found = [...whole.toString('latin1').matchAll(/"(passed|failed|error|skipped)"/g)];
    if (found.length === 0) return undefined;
    const { index, 0: text } = random.pick(found);
    const other = random.pick(['"passed"', '"failed"', '"error"', '"skipped"']);
    return Buffer.concat([whole.subarray(0, index), Buffer.from(other), whole.subarray(index + text.length)]);
  },
  'a number changed': (whole, random) => {
    const found = [...whole.toString('latin1').matchAll(/(?<=[:,[] ?)\d+(?=[,\]}\n])/g)];
    if (found.length === 0) return undefined;
    const { index, 0: text } = random.pick(found);
    const other = Buffer.from(String(random.below(3)));
    return Buffer.concat([whole.subarray(0, index), other, whole.subarray(index + text.length)]);
  },
  truncated: (whole, random) => whole.subarray(0, random.below(whole.length)),
  'truncated at a line': (whole, random) => {
    const lines = split(whole);
    return join(lines.slice(0, random.below(lines.length)));
  },
  emptied: () => Buffer.alloc(0),
  'a page of zeros': (whole, random) => {
    const bytes = Buffer.from(whole);
    const page = 512;
    const start = page * random.below(Math.ceil(bytes.length / page));
    return bytes.fill(0, start, Math.min(start + page, bytes.length));
  },
  'a piece cut out': (whole, random) => {
    const start = random.below(whole.length);
    const length = 1 + random.below(300);
    return Buffer.concat([whole.subarray(0, start), whole.subarray(start + length)]);
  },
  'a line deleted': (whole, random) => {
    const lines = split(whole);
    lines.splice(random.below(lines.length), 1);
    return join(lines);
  },
  'a line doubled': (whole, random) => {
    const lines = split(whole);
    const line = random.pick(lines);
    lines.splice(random.below(lines.length + 1), 0, line);
    return join(lines);
  },
  'lines swapped': (whole, random) => {
    const lines = split(whole);
    const [a, b] = [random.below(lines.length), random.below(lines.length)];
    [lines[a], lines[b]] = [lines[b]!, lines[a]!];
    return join(lines);
  },
  'something appended': (whole, random) =>
    Buffer.concat([whole, Buffer.from(random.pick(['\n', '{}\n', 'x', '{"id":"x","verdict":"passed"}\n']))]),
} satisfies Record<string, Way>;

function split(whole: Buffer): string[] {
  return whole.toString('latin1').split(LINE_FEED).slice(0, -1);
}

function join(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => line + LINE_FEED).join(''), 'latin1');
}
