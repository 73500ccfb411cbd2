import type { CharacterPredicate } from './character-predicate.ts';

/** A pattern compiled to instructions for the matcher; see opcodes.ts for them. */
export interface Program {
  readonly code: Int32Array;
  /** The tables of all classes end to end, `TABLE_SIZE` bytes each. */
  readonly classTables: Uint8Array;
  /** By class: membership of the characters past its table. */
  readonly wideMembers: readonly CharacterPredicate[];
  /** All filters end to end, `FILTER_SIZE` bytes each. */
  readonly filters: Uint8Array;
  readonly groupCount: number;
  /** Two registers for each group, then those of loops and assertions. */
  readonly registerCount: number;
  /** The register with the number of the last mark, or NONE; see mark-tracking.ts. */
  readonly lastMarkRegister: number;
  /** By place, 1 where a choice does not restore sticky marks; empty if there are none. */
  readonly forgetful: Uint8Array;
  readonly start: StartCondition;
}

/** What is known of every match without running the program. */
export interface StartCondition {
  /** Each match begins with this text, which has no lone surrogate. */
  readonly prefix: string;
  /** Each match contains these texts, in this order. */
  readonly requiredTexts: readonly string[];
  /** Each match contains these runs of characters, in this order: one class for each character. */
  readonly requiredClasses: readonly (readonly number[])[];
  /** Number of the filter that the first character passes, or NONE. */
  readonly filter: number;
  /** Number of a class that the first character must be in besides, or NONE. */
  readonly characters: number;
  /** A match can only begin at the start of the subject. */
  readonly isAnchored: boolean;
  /** No match begins behind a character that is in all of these classes; see leading-run.ts. */
  readonly leadingRun: readonly number[];
  readonly minWidth: number;
}
