import type { Finding } from '../model/finding.ts';
import type { Json } from '../model/json.ts';
import type { Source } from '../schema/reader.ts';

/** One way through the items of a long list, none of which is held. */
export interface ItemReading {
  /** Undefined, as the last one, when the text has to be read as a whole after all. */
  items(): Generator<Json | undefined, void>;
  /** Knows the places of the items that were read. */
  readonly source: Source;
  /** What is wrong with the text of the items that were read. */
  readonly findings: readonly Finding[];
}
