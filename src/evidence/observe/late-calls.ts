let count = 0;

/** A model call came when the step or the attempt that made it had ended: nothing of it was judged. */
export function noteLateCall(): void {
  count++;
}

/** They came in another process. */
export function noteLateCalls(late: number): void {
  count += late;
}

/** How many came since this was asked last. */
export function takeLateCalls(): number {
  const late = count;
  count = 0;
  return late;
}
