/** Every reporter of a run. Add a new one here, so that every check covers it. */
export const REPORTERS = ['terminal', 'json', 'jsonl', 'junit', 'markdown', 'tap'] as const;
