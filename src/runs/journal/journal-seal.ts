/** The content of a journal when its run ended: `journal` in `summary.json`. */
export interface JournalSeal {
  readonly bytes: number;
  /** The checksum of all bytes. */
  readonly crc32: string;
  /** How many lines contain a record; an attempt that ran again has several. */
  readonly records: number;
  /** The attempts of those lines, in order; absent if there are too many to list. */
  readonly ids?: readonly string[] | undefined;
  /** A resumed run leaves lines in place that were damaged before: this is their number. */
  readonly damaged_lines?: number | undefined;
}
