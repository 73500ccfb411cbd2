/** An exact description of a set of texts: `assay check` uses it to find a text that matches, or does not. */
export type TextRule =
  | LiteralRule
  | PatternRule
  | { readonly type: 'not'; readonly rule: TextRule }
  | { readonly type: 'all' | 'any'; readonly rules: readonly TextRule[] };

export interface LiteralRule {
  readonly type: 'literal';
  readonly text: string;
  readonly at: 'anywhere' | 'start' | 'end' | 'whole';
  readonly ignoresCase?: boolean | undefined;
}

/** A text that the pattern matches. Flags are part of the pattern: `(?i)`. */
export interface PatternRule {
  readonly type: 'pattern';
  readonly pattern: string;
  /** Default: Python's. */
  readonly dialect?: 'python' | 'js' | undefined;
}
