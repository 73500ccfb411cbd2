/** An answer that says next to nothing, and may satisfy an assertion all the same. Whether it does is tried. */
export interface WeakAnswer {
  readonly code: 'empty_json_passes' | 'untyped_schema';
  readonly output: string;
  readonly why: string;
  readonly hint: string;
}
