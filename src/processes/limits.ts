/** No more than this is taken from a program in one go: the rest of what it prints is cut, a longer answer is an error. */
export const OUTPUT_LIMIT_BYTES = 10 * 1024 * 1024;

/** Between asking a process group to end and killing it. */
export const KILL_GRACE_MS = 2000;
