import type { BuiltInFactory } from './built-in-context.ts';

export interface ReporterDefinition {
  /** What it is for, in a few words: shown in the help and the docs. */
  readonly doc: string;
  /** It may write to stdout beside the terminal reporter, and to stderr if stdout belongs to another one. */
  readonly isBeside?: boolean;
  /** People read it while it is written: it replaces the terminal reporter. */
  readonly isForPeople?: boolean;
  /** It prints data without secrets. Other output is redacted once more: it quotes files. */
  readonly isData?: boolean;
  /** Loaded on first use. */
  readonly load: () => Promise<{ readonly createReporter: BuiltInFactory }>;
}

const BUILT_IN = {
  terminal: {
    doc: 'text for people (default)',
    isForPeople: true,
    load: () => import('./terminal-reporter.ts'),
  },
  list: {
    doc: 'the same, with a line per test',
    isForPeople: true,
    load: () => import('./list-reporter.ts'),
  },
  dot: {
    doc: 'the same, with a character per test',
    isForPeople: true,
    load: () => import('./dot-reporter.ts'),
  },
  agent: {
    doc: 'a few lines for coding agents (default if one runs Assay)',
    isForPeople: true,
    load: () => import('./agent-reporter.ts'),
  },
  json: { doc: 'one JSON object', isData: true, load: () => import('./json-reporter.ts') },
  jsonl: {
    doc: 'a JSON object per line, during the run',
    isData: true,
    load: () => import('./jsonl-reporter.ts'),
  },
  junit: { doc: 'JUnit XML, which most CI systems read', load: () => import('./junit-reporter.ts') },
  github: {
    doc: 'annotations and a step summary for GitHub Actions',
    isBeside: true,
    load: () => import('./github-reporter.ts'),
  },
  markdown: {
    doc: 'Markdown for a comment on a pull request',
    load: () => import('./markdown-reporter.ts'),
  },
  html: {
    doc: 'the results viewer with this run, in one file',
    isData: true,
    load: () => import('./html-reporter.ts'),
  },
  csv: { doc: 'a row per attempt, for spreadsheets', load: () => import('./csv-reporter.ts') },
  tap: { doc: 'TAP version 14', load: () => import('./tap-reporter.ts') },
} satisfies Readonly<Record<string, ReporterDefinition>>;

export type ReporterName = keyof typeof BUILT_IN;

/** Every reporter, by name. The command options, the help and the docs derive from this table. */
export const REPORTERS: Readonly<Record<string, ReporterDefinition>> = BUILT_IN;
