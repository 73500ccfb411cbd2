/** What a journal consisted of when its run ended: `journal` in `summary.json`. */
export interface JournalSeal {
  readonly bytes: number;
  /** Of all bytes. */
  readonly crc32: string;
  /** How many lines hold a record; an attempt that was run again has several. */
  readonly records: number;
  /** The attempts of those lines, in their order; absent when there are too many to list. */
  readonly ids?: readonly string[] | undefined;
  /** A resumed run leaves lines that were damaged before where they are: how many of them there are. */
  readonly damaged_lines?: number | undefined;
}
