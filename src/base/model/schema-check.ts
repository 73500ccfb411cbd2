/** The result of checking a value against a JSON Schema. */
export interface SchemaCheck {
  /** Every violation, with its path: `items[0].price must be number`. */
  readonly violations: readonly string[];
  /** The parts of the schema without effect: unknown keywords, and formats. */
  readonly notes: readonly string[];
}
