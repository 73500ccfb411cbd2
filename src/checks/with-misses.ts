/** The most misses in a message: the record has all of them. */
const MOST = 3;

/** A sentence, with the first things that speak against the score: `1 of 3 fields are right: total is absent`. */
export function withMisses(message: string, misses: readonly string[]): string {
  if (misses.length === 0) return message;
  const more = misses.length - MOST;
  return `${message}: ${misses.slice(0, MOST).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
