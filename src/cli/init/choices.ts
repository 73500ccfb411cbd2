import type { Framework } from './framework-names.ts';

/** How Assay reaches the agent. */
export const KINDS = ['function', 'program', 'server'] as const;
export const LANGUAGES = ['typescript', 'python'] as const;
export const CI_SYSTEMS = ['github', 'gitlab', 'azure', 'circleci', 'none'] as const;

export type Kind = (typeof KINDS)[number];
export type Language = (typeof LANGUAGES)[number];
export type CiSystem = (typeof CI_SYSTEMS)[number];

/** What `assay init` writes. A framework decides the kind and the language. */
export interface Choices {
  readonly kind?: Kind | undefined;
  readonly language?: Language | undefined;
  readonly framework?: Framework | undefined;
  readonly ci?: CiSystem | undefined;
}
