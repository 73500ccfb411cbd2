import { isJsonObject, type Json } from '../../base/model/json.ts';
import { jsonLength, sealedLength, withoutSeal } from './checksum.ts';

/** Since version 2, every line ends with a checksum. */
export const JOURNAL_VERSION = 2;
const KNOWN_VERSIONS: ReadonlySet<unknown> = new Set([1, JOURNAL_VERSION]);

/** The first line of every journal. */
export interface JournalHeader {
  readonly assay_journal: number;
  readonly run_id: string;
}

/** A journal of a version that this program does not know. */
export class JournalVersionError extends Error {}

export type OpenedLine =
  | { readonly kind: 'header'; readonly runId: string }
  /** `length`: how many bytes precede its checksum. */
  | { readonly kind: 'record'; readonly length: number }
  | { readonly kind: 'damaged' };

const HEADER = Buffer.from('{"assay_journal":');
const DAMAGED: OpenedLine = { kind: 'damaged' };

/** Says what each line of a journal is, in order: the header decides whether lines need a checksum. */
export class LineOpener {
  /** Whether every line must have a checksum. */
  needsSeal = false;
  private readonly path: string;
  private readonly lengthOf: (line: Buffer) => number | undefined;

  /** `isTrusted`: the caller verifies the file as a whole. */
  constructor(path: string, { isTrusted = false }: { readonly isTrusted?: boolean } = {}) {
    this.path = path;
    this.lengthOf = isTrusted ? jsonLength : sealedLength;
  }

  /** Throws a JournalVersionError for the header of an unknown version. */
  open(line: Buffer): OpenedLine {
    const length = this.lengthOf(line);
    if (length === undefined) return DAMAGED;
    // The third byte alone tells nearly every record from a header.
    if (line[2] === HEADER[2] && line.subarray(0, HEADER.length).equals(HEADER))
      return this.openHeader(withoutSeal(line, length), length < line.length);
    return this.needsSeal && length === line.length ? DAMAGED : { kind: 'record', length };
  }

  private openHeader(text: string, isSealed: boolean): OpenedLine {
    const header = parse(text);
    if (!isJsonObject(header)) return DAMAGED;
    const { assay_journal: version, run_id: runId } = header;
    if (!KNOWN_VERSIONS.has(version)) {
      throw new JournalVersionError(
        `${this.path} is a journal of version ${String(version)}, but this program reads versions 1 and ${JOURNAL_VERSION}`,
      );
    }
    if (version === JOURNAL_VERSION) this.needsSeal = true;
    if (typeof runId !== 'string' || (this.needsSeal && !isSealed)) return DAMAGED;
    return { kind: 'header', runId };
  }
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
