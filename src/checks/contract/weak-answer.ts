/** An answer with nearly no content that may still satisfy an assertion. Whether it does is tried. */
export interface WeakAnswer {
  readonly code: 'empty_json_passes' | 'untyped_schema';
  readonly output: string;
  readonly why: string;
  readonly hint: string;
}
