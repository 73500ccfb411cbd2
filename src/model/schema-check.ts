/** What came of checking a value against a JSON Schema. */
export interface SchemaCheck {
  /** Every violation, each with its place: `items[0].price must be number`. */
  readonly violations: readonly string[];
  /** What of the schema has no effect: unknown keywords, and formats. */
  readonly notes: readonly string[];
}
