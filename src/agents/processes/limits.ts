/** The most output taken from a program at once: beyond it, printed text is cut and a reply is an error. */
export const OUTPUT_LIMIT_BYTES = 10 * 1024 * 1024;

/** The time between asking a process group to end and killing it. */
export const KILL_GRACE_MS = 2000;
