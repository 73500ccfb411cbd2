/*
 * The kinds of frames on the matcher's stack. A frame is four words: its kind and up to three more.
 * Those up to LAST_UNDO only restore registers; the others hold a way to go on.
 */

export const FRAME_SIZE = 4;

/** register, old value */
export const RESTORE = 0;
/** register, old value, old value of the register after it */
export const RESTORE_PAIR = 1;
/** register, old value; see tracked-marks.ts */
export const RESTORE_STICKY = 2;
/** loop's place, unused, old position of the last round */
export const LEAVE_ROUND = 3;

export const LAST_UNDO = LEAVE_ROUND;

/** place, position */
export const RESUME = 4;
/** run's place, current end, earliest end */
export const SHORTEN_RUN = 5;
/** run's place, current end, latest end */
export const EXTEND_RUN = 6;
/** Like LEAVE_ROUND, and then continues after the loop at the position in the second word. */
export const LEAVE_LOOP = 7;
/** loop's place, position */
export const ENTER_ROUND = 8;
/** place, position; of a possessive loop's end */
export const LEAVE_POSSESSIVE = 9;
/** Goes back further, but sticky marks are restored on the way. */
export const BARRIER = 10;
