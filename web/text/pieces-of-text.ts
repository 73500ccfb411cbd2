/** Browsers lay out and skip pieces of this size; one of 5 MB would block them for seconds. */
const PIECE = 8000;

export interface TextPiece {
  /** Where it starts in the whole text. */
  readonly start: number;
  readonly text: string;
}

/** A text in pieces that end with a line, where lines are not too long. */
export function cutIntoPieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  for (let start = 0; start < text.length;) {
    const end = text.length - start <= PIECE ? text.length : pieceEnd(text, start, PIECE);
    // Each piece is a block: its last line feed belongs to the block.
    pieces.push({ start, text: text.slice(start, end).replace(/\r?\n$/, '') });
    start = end;
  }
  return pieces;
}

/**
 * Where a piece of about this length ends: after a line feed in its last half, or in the middle of a long line. It is never
 * empty.
 */
export function pieceEnd(text: string, start: number, length: number): number {
  const limit = start + length;
  const at = text.lastIndexOf('\n', limit - 1);
  if (at >= limit - Math.min(length, PIECE) / 2) return at + 1;
  const isHalf = (text.charCodeAt(limit - 1) & 0xfc00) === 0xd800;
  return isHalf ? limit - 1 : limit;
}
