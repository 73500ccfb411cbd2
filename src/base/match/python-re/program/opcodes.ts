/*
 * The instructions of a compiled pattern, each with its operands. Single constants, not an object,
 * so that bundlers and the JIT turn the matcher's switch into a jump table.
 */

/** In place of a filter or target. */
export const NONE = -1;

/** The whole pattern has matched. */
export const MATCH = 0;
/** code point */
export const CHARACTER = 1;
/** code point */
export const NOT_CHARACTER = 2;
/** Any character but a newline. */
export const NOT_NEWLINE = 3;
export const ANY_CHARACTER = 4;
/** class */
export const CLASS = 5;
/** register */
export const MARK = 6;
/** register, register of the last mark, 1 for a sticky mark */
export const TRACKED_MARK = 17;
/** Restores sticky marks when what follows has failed. */
export const BARRIER = 33;
/** target */
export const JUMP = 7;
/** filter, next alternative or NONE */
export const ALTERNATIVE = 8;
/** test, operand, min, max, filter of what follows */
export const GREEDY_RUN = 9;
/** test, operand, min, max, filter of what follows */
export const LAZY_RUN = 10;
/** test, operand, min, max, unused */
export const POSSESSIVE_RUN = 11;
/** register, target of the loop's end */
export const LOOP_BEGIN = 12;
/** register, min, max, body, filter of the body, filter of what follows */
export const GREEDY_LOOP = 13;
/** As GREEDY_LOOP. */
export const LAZY_LOOP = 14;
/** register, min, max, exit */
export const POSSESSIVE_LOOP = 15;
/** register, target of the loop's begin */
export const POSSESSIVE_NEXT = 16;
/** register */
export const ATOMIC_BEGIN = 18;
/** register */
export const ATOMIC_END = 19;
/** register, width of a lookbehind */
export const LOOK_BEGIN = 20;
/** register */
export const LOOK_END = 21;
/** register, width of a lookbehind, continuation */
export const NEGATIVE_LOOK_BEGIN = 22;
/** register */
export const NEGATIVE_LOOK_END = 23;
/** register of the group, unused */
export const BACKREFERENCE = 24;
/** register of the group, 1 to fold as Unicode */
export const FOLDED_BACKREFERENCE = 25;
/** register of the group, target if it is unset */
export const CONDITION = 26;
/* Anchors, all of the same length; the other operands are unused. */
export const STRING_START = 27;
export const LINE_START = 28;
export const STRING_END = 29;
/** The end, or the newline right before it. */
export const FINAL_END = 30;
export const LINE_END = 31;
/** class of word characters, 1 for a boundary and 0 for none */
export const WORD_BOUNDARY = 32;
