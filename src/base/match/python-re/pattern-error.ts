/** A pattern that Python would refuse; the message reads as Python's `str(error)` does. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
  /** Code point offset in the pattern, or undefined where Python names none. */
  readonly position: number | undefined;

  constructor(message: string, position?: number) {
    super(message);
    this.position = position;
  }
}

/** `characters` holds the pattern, one code point each. */
export function errorAt(message: string, characters: readonly string[], position: number): PatternError {
  const place = `${message} at position ${position}`;
  if (!characters.includes('\n')) return new PatternError(place, position);
  const before = characters.slice(0, position);
  const line = before.filter((character) => character === '\n').length + 1;
  const column = position - before.lastIndexOf('\n');
  return new PatternError(`${place} (line ${line}, column ${column})`, position);
}
