/** Which texts are meant, told exactly: what `assay check` reasons about when it looks for a text that fits, or fits not. */
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

/** A text in which the pattern is found. Flags are part of the pattern: `(?i)`. */
export interface PatternRule {
  readonly type: 'pattern';
  readonly pattern: string;
  /** Default: Python's. */
  readonly dialect?: 'python' | 'js' | undefined;
}
