/** Every reporter of a run. One more is a line here: what is checked of all is checked of it too. */
export const REPORTERS = ['terminal', 'json', 'jsonl', 'junit', 'markdown', 'tap'] as const;
