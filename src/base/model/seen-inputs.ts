/**
 * What of a path counts: `content` of a file, `names` in a folder, `tree` for the names in it and below it, `entry` for what is
 * there, `stat` for its size, time and mode too, `link` for where it leads.
 */
export type LookKind = 'content' | 'entry' | 'link' | 'names' | 'stat' | 'tree';

/** What was seen of the files that an agent uses. */
export interface SeenInputs {
  /** By `kind /absolute/path`: what was there when the agent first looked. */
  readonly looks: Readonly<Record<string, string>>;
  /** Paths that the agent wrote, made or removed. */
  readonly written: readonly string[];
  /** Why it may have read more: `it starts the program cat`. */
  readonly unseen: readonly string[];
}
