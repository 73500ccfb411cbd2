import type { Finding } from '../../base/model/finding.ts';
import type { Json } from '../../base/model/json.ts';
import type { Source } from '../../base/schema/reader.ts';

/** One pass over the items of a long list, none of which is kept. */
export interface ItemReading {
  /** Undefined, as the last one, if the text must be read as a whole after all. */
  items(): Generator<Json | undefined, void>;
  /** Knows the places of the items read so far. */
  readonly source: Source;
  /** What is wrong with the text of the items read so far. */
  readonly findings: readonly Finding[];
}
