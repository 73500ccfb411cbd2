import type { Sequence } from '../syntax-tree.ts';
import type { GroupRegistry } from './group-registry.ts';
import type { Tokenizer } from './tokenizer.ts';

/** What the parts of the parser share. */
export interface ParserState {
  readonly source: Tokenizer;
  readonly groups: GroupRegistry;
  /** The flags of the whole pattern, as far as they are read. */
  flags: number;
  /** Reads nested alternatives up to a closing parenthesis, which is left. */
  parseAlternation(verbose: boolean): Sequence;
  /** Reads one nested alternative. */
  parseSequence(verbose: boolean): Sequence;
  /** Takes the closing parenthesis of the group that begins at `start`. */
  expectGroupEnd(start: number): void;
}
