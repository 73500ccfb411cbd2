/** A journal, or a line of one, as version 1 wrote it: without checksums. */
export function asVersion1(journal: string): string {
  return journal
    .replace(/^\{"assay_journal":2,/, '{"assay_journal":1,')
    .replaceAll(/,"crc32":"[0-9a-f]{8}"(?=\}$)/gm, '');
}
