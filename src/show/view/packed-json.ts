import { gzipSync } from 'node:zlib';

/** The markup around a block. */
const FRAME_BYTES = 80;

/** JSON in an HTML element that the page unpacks: compressed, and in base64, which cannot end its element. */
export function packedJson(
  kind: 'rows' | 'details' | 'texts',
  json: string,
  indexes: readonly (number | string)[] = [],
): string {
  const rows = indexes.length === 0 ? '' : ` data-rows="${indexes.join(' ')}"`;
  const bytes = gzipSync(json).toString('base64');
  return `<script type="application/gzip" class="assay-${kind}"${rows}>${bytes}</script>\n`;
}

/** At most this many bytes for JSON of a size, however badly it compresses. */
export function mostPackedBytes(size: number): number {
  return Math.ceil((size * 1.001 + 32) * (4 / 3)) + FRAME_BYTES;
}
