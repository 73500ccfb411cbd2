/**
 * What of a path counts: `content` of a file, `names` in a folder and what kind of thing each is, `tree` for those below it too, `entry`
 * for what is there and its mode, `stat` for the size and time of a file too, `link` for where it leads.
 */
export type LookKind = 'content' | 'entry' | 'link' | 'names' | 'stat' | 'tree';

/** What was seen of the files that an agent uses. */
export interface SeenInputs {
  /** By `kind /absolute/path`: what was there when the agent first looked. */
  readonly looks: Readonly<Record<string, string>>;
  /** Paths that the agent wrote, made or removed. */
  readonly written: readonly string[];
  /** Names of the variables that it read; `*` for those that there are. */
  readonly variables: readonly string[];
  /** Why it may have read more: `it starts the program cat`. */
  readonly unseen: readonly string[];
}
