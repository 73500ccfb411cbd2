/** The names of `--from`: the options of the command line know them without the formats themselves. */
export const FOREIGN_NAMES = [
  'adk',
  'agent-skills',
  'openai-evals',
  'langsmith',
  'deepeval',
  'inspect',
  'promptfoo',
  'csv',
] as const;

export type ForeignName = (typeof FOREIGN_NAMES)[number];
