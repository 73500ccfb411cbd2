/** Pattern flags as bits. */
export const Flag = {
  template: 1,
  ignoreCase: 2,
  locale: 4,
  multiline: 8,
  dotAll: 16,
  unicode: 32,
  verbose: 64,
  ascii: 256,
} as const;

/** The flags that say what a character is; setting one in a group replaces the others. */
export const TYPE_FLAGS = Flag.ascii | Flag.locale | Flag.unicode;

export function combineFlags(flags: number, added: number, removed: number): number {
  const kept = (added & TYPE_FLAGS) === 0 ? flags : flags & ~TYPE_FLAGS;
  return (kept | added) & ~removed;
}
