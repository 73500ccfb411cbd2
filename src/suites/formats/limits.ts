/** The limits for a file. Beyond them the file is refused with a finding, never read in part. */
export const LIMITS = {
  fileBytes: 64 * 1024 * 1024,
  lineBytes: 64 * 1024 * 1024,
  referencedFileBytes: 10 * 1024 * 1024,
  depth: 200,
  /** Counted after aliases are expanded. */
  nodes: 5_000_000,
  mergedKeys: 100_000,
} as const;
