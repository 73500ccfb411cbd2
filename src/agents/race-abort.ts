/** A waiting caller may give up; the operation continues for the others. */
export function raceAbort<T>(waited: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void waited.then(done, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
